// Does what a list of cases says and writes down what came of it, byte for byte, as the other hosts do. The format is
// described where the list is made, in tests/src/hosts.rs.
//
//	transcript CASES > TRANSCRIPT
package main

import (
	"bufio"
	"errors"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"axpress"
)

type testCase struct {
	operation string
	payload   []byte
	before    []byte
	frames    []axpress.Frame
	outline   axpress.OutlineOptions
	view      axpress.ViewOptions
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func readUid(text string) axpress.Uid {
	frame, node, _ := strings.Cut(text, ".")
	return axpress.Uid{
		Frame: uint32(must(strconv.ParseUint(frame, 10, 32))),
		Node:  must(strconv.ParseUint(node, 10, 64)),
	}
}

func readUids(text string) []axpress.Uid {
	var uids []axpress.Uid
	for _, uid := range strings.Split(text, ",") {
		uids = append(uids, readUid(uid))
	}
	return uids
}

func (c *testCase) read(key, value string) {
	number := func() int { return must(strconv.Atoi(value)) }
	switch key {
	case "payload":
		c.payload = must(os.ReadFile(value))
	case "before":
		c.before = must(os.ReadFile(value))
	case "cut":
		c.payload = c.payload[:number():number()]
	case "frame":
		parts := strings.SplitN(value, " ", 3)
		frame := uint32(must(strconv.ParseUint(parts[1], 10, 32)))
		c.frames = append(c.frames, axpress.Frame{
			Owner: readUid(parts[0]), Number: frame, Payload: must(os.ReadFile(parts[2])),
		})
	case "max_chars":
		c.outline.MaxChars = number()
	case "dedup_text":
		c.outline.DedupText = true
	case "nodes":
		for _, node := range strings.Split(value, ",") {
			c.outline.Secrets = append(c.outline.Secrets, must(strconv.ParseUint(node, 10, 64)))
		}
	case "query":
		c.view.Query = value
	case "max_bytes":
		c.view.MaxBytes = number()
	case "viewport":
		c.view.Viewport = readUids(value)
	case "urls":
		c.view.URLs = true
	case "root":
		root := readUid(value)
		c.view.Root = &root
	case "secrets":
		c.view.Secrets = readUids(value)
	case "clickable":
		c.view.Clickable = readUids(value)
	default:
		log.Fatalf("unknown field %s", key)
	}
}

func printBytes(out *bufio.Writer, name, bytes string) {
	fmt.Fprintf(out, "%s %d\n%s\n", name, len(bytes), bytes)
}

func printUids(out *bufio.Writer, uids []axpress.Uid) {
	fmt.Fprint(out, "uids")
	for _, uid := range uids {
		fmt.Fprintf(out, " %d.%d", uid.Frame, uid.Node)
	}
	fmt.Fprintln(out)
}

func printView(out *bufio.Writer, view axpress.View) {
	printBytes(out, "text", view.Text)
	printUids(out, view.Uids)
	left := view.LeftOut
	fmt.Fprintln(out, "counts", view.Nodes, view.FramesLeftOut, left.Uids, left.Characters, left.Lines, left.Matches)
}

func printDelta(out *bufio.Writer, delta axpress.Delta) {
	kinds := map[axpress.DeltaKind]string{
		axpress.Unchanged: "unchanged", axpress.Changed: "changed", axpress.Rewritten: "rewritten",
	}
	changes := map[axpress.ChangeKind]string{
		axpress.LineCame: "came", axpress.LineWent: "went", axpress.LineChanged: "changed", axpress.LineMoved: "moved",
		axpress.LineIndented: "indented",
	}
	fmt.Fprintln(out, "delta", kinds[delta.Kind], delta.LinesBefore, delta.LinesAfter)
	printBytes(out, "text", delta.Text)
	printUids(out, delta.Uids)
	for _, change := range delta.Changes {
		fmt.Fprintln(out, changes[change.Kind], change.Before, change.After)
		printBytes(out, "line", change.Line)
	}
	fmt.Fprintln(out, "frames_left_out", delta.FramesLeftOut)
}

func (c *testCase) run(compressor *axpress.Compressor, out *bufio.Writer) error {
	page := axpress.Snapshot{Payload: c.payload, Frames: c.frames}
	switch c.operation {
	case "scan":
		counts, err := compressor.Scan(c.payload)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, "statistics", counts.Nodes, counts.Repeats, counts.Roots)
	case "outline":
		outline, err := compressor.Outline(c.payload, c.outline)
		if err != nil {
			return err
		}
		printBytes(out, "text", outline.Text)
		fmt.Fprintln(out, "counts", outline.Nodes, outline.Unreached, outline.TooDeep)
	case "view":
		view, err := compressor.ViewSnapshot(page, c.view)
		if err != nil {
			return err
		}
		printView(out, view)
	case "compress":
		compressed, err := compressor.CompressSnapshot(page, c.view)
		if err != nil {
			return err
		}
		printView(out, compressed.View)
		printBytes(out, "handle", string(compressed.Handle))
		printBytes(out, "blob", string(compressed.Blob))
		uncompressed := 0
		if compressed.Uncompressed {
			uncompressed = 1
		}
		fmt.Fprintf(out, "original_bytes %d\nuncompressed %d\n", compressed.OriginalBytes, uncompressed)
	case "delta":
		before := axpress.Snapshot{Payload: c.before, Frames: c.frames}
		delta, err := compressor.DeltaSnapshots(before, page, c.view)
		if err != nil {
			return err
		}
		printDelta(out, delta)
	case "nodes":
		ranges, err := compressor.Nodes(c.payload, c.view.Query)
		if err != nil {
			return err
		}
		for _, node := range ranges {
			fmt.Fprintln(out, "node", node.Start, node.End)
		}
	case "pack":
		handle, blob, err := compressor.Pack(c.payload)
		if err != nil {
			return err
		}
		printBytes(out, "handle", string(handle))
		printBytes(out, "handle", string(axpress.HandleOf(c.payload)))
		printBytes(out, "blob", string(blob))
	case "unpack":
		original, err := compressor.Unpack(c.payload)
		if err != nil {
			return err
		}
		printBytes(out, "original", string(original))
	default:
		log.Fatalf("unknown operation %s", c.operation)
	}
	return nil
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: transcript CASES")
	}
	compressor := must(axpress.New(axpress.WithIdle(1)))
	defer compressor.Close()
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	lines := strings.Split(strings.TrimSuffix(string(must(os.ReadFile(os.Args[1]))), "\n"), "\n")
	for number, line := range lines {
		fields := strings.Split(line, "\t")
		c := testCase{operation: fields[0]}
		for _, field := range fields[1:] {
			key, value, _ := strings.Cut(field, "=")
			c.read(key, value)
		}
		fmt.Fprintf(out, "case %d %s\n", number+1, c.operation)
		if err := c.run(compressor, out); err != nil {
			var e *axpress.Error
			if !errors.As(err, &e) {
				log.Fatal(err)
			}
			fmt.Fprintf(out, "status %d offset %d\n", e.Status, e.Offset)
			printBytes(out, "error", e.Error())
		}
	}
}
