package axpress_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"axpress"
)

const fixtures = "../../tests/fixtures"

var memoryCalls = flag.Int("memory-calls", 2000, "calls of the test that memory stays flat")

func payload(t testing.TB, fixture string) []byte {
	t.Helper()
	read, err := os.ReadFile(filepath.Join(fixtures, fixture, "ax.json"))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func compressor(t testing.TB, options ...axpress.Option) *axpress.Compressor {
	t.Helper()
	made, err := axpress.New(options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { made.Close() })
	return made
}

func failure(t *testing.T, err error, code string, offset int) {
	t.Helper()
	var e *axpress.Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *Error", err)
	}
	if e.Code != code || e.Offset != offset || e.Message == "" || e.NextStep == "" {
		t.Fatalf("%+v instead of %s at %d", e, code, offset)
	}
}

func TestAViewOutlivesTheCallsAfterIt(t *testing.T) {
	c := compressor(t, axpress.WithIdle(1))
	first, err := c.Compress(payload(t, "login"), axpress.ViewOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, uids, blob := strings.Clone(first.View.Text), fmt.Sprint(first.View.Uids), append([]byte(nil), first.Blob...)
	for _, fixture := range []string{"table", "checkout", "empty"} {
		if _, err := c.Compress(payload(t, fixture), axpress.ViewOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if first.View.Text != text || fmt.Sprint(first.View.Uids) != uids || !bytes.Equal(first.Blob, blob) {
		t.Fatal("a later call changed it")
	}
	original, err := c.Unpack(first.Blob)
	if err != nil || !bytes.Equal(original, payload(t, "login")) {
		t.Fatal("the blob does not give the original back", err)
	}
	if axpress.HandleOf(original) != first.Handle {
		t.Fatal(first.Handle)
	}
}

func TestWrongInputIsATypedErrorWithItsOffset(t *testing.T) {
	c := compressor(t, axpress.WithInputBytes(100000))
	_, err := c.View(nil, axpress.ViewOptions{})
	failure(t, err, "invalid-json", 0)
	_, err = c.View([]byte{}, axpress.ViewOptions{})
	failure(t, err, "invalid-json", 0)
	_, err = c.Outline([]byte("{\"nodes\":[]}\x00"), axpress.OutlineOptions{})
	failure(t, err, "invalid-json", 12)
	_, err = c.Scan([]byte("[\"\xff\"]"))
	failure(t, err, "invalid-json", 2)
	_, err = c.View([]byte("[{}]"), axpress.ViewOptions{})
	failure(t, err, "invalid-node-id", 1)
	_, err = c.View(payload(t, "table"), axpress.ViewOptions{})
	failure(t, err, "payload-too-large", 100000)
	_, err = c.View(payload(t, "login"), axpress.ViewOptions{Query: "a\xffb"})
	failure(t, err, "invalid-utf8", 1)
	_, err = c.Nodes(payload(t, "login"), "\xff")
	failure(t, err, "invalid-utf8", 0)
	_, err = c.View(payload(t, "login"), axpress.ViewOptions{Root: &axpress.Uid{Node: 1 << 40}})
	failure(t, err, "unknown-root", 0)
	_, err = c.View(payload(t, "login"), axpress.ViewOptions{MaxBytes: 199})
	failure(t, err, "budget-too-small", 0)
	_, err = c.Unpack([]byte("no blob"))
	failure(t, err, "corrupt-blob", 0)
	if _, err = c.View(payload(t, "login"), axpress.ViewOptions{}); err != nil {
		t.Fatal("the call after is harmed", err)
	}
}

func TestEmptyInputNeedsNoSpecialCare(t *testing.T) {
	c := compressor(t)
	for _, empty := range [][]byte{nil, {}} {
		handle, blob, err := c.Pack(empty)
		if err != nil || handle != axpress.HandleOf(nil) {
			t.Fatal(handle, err)
		}
		if original, err := c.Unpack(blob); err != nil || len(original) != 0 {
			t.Fatal(original, err)
		}
		if _, err := c.ViewSnapshot(axpress.Snapshot{Payload: empty, Frames: make([]axpress.Frame, 1)},
			axpress.ViewOptions{}); err == nil {
			t.Fatal("an empty page and an empty frame gave a view")
		}
	}
}

func TestHandlesAreReadInWholeAndInPart(t *testing.T) {
	handle := axpress.HandleOf([]byte("hello\n"))
	if handle != "ccr_5891b5b522d5df086d0ff0b110fbd9d2" {
		t.Fatal(handle)
	}
	for _, text := range []string{string(handle), "5891B5B522D5DF086D0FF0B110FBD9D2"} {
		if first, last, err := axpress.ParseHandle(text); err != nil || first != handle || last != handle {
			t.Fatal(first, last, err)
		}
	}
	first, last, err := axpress.ParseHandle("5891b5b5")
	if err != nil || first > handle || last < handle || first == last {
		t.Fatal(first, last, err)
	}
	_, _, err = axpress.ParseHandle("ccr_5891b5b")
	failure(t, err, "invalid-handle", 11)
	_, _, err = axpress.ParseHandle("")
	failure(t, err, "invalid-handle", 0)
}

func TestAClosedCompressorSaysSo(t *testing.T) {
	c := compressor(t)
	if _, err := c.View(payload(t, "login"), axpress.ViewOptions{}); err != nil {
		t.Fatal(err)
	}
	for range [2]int{} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.View(payload(t, "login"), axpress.ViewOptions{}); !errors.Is(err, axpress.ErrClosed) {
		t.Fatal(err)
	}
}

func TestEightGoroutinesShareACompressor(t *testing.T) {
	c := compressor(t, axpress.WithIdle(3))
	names := []string{"login", "table", "checkout", "forged", "cards", "tree"}
	expected := map[string]axpress.Compressed{}
	for _, name := range names {
		made, err := c.Compress(payload(t, name), axpress.ViewOptions{})
		if err != nil {
			t.Fatal(err)
		}
		expected[name] = made
	}
	var group sync.WaitGroup
	for goroutine := 0; goroutine < 8; goroutine++ {
		group.Add(1)
		go func(random *rand.Rand) {
			defer group.Done()
			for call := 0; call < 200; call++ {
				name := names[random.Intn(len(names))]
				input := payload(t, name)
				made, err := c.Compress(input, axpress.ViewOptions{})
				if err != nil || made.View.Text != expected[name].View.Text || made.Handle != expected[name].Handle {
					t.Error(name, err)
					return
				}
				cut := random.Intn(len(input))
				var e *axpress.Error
				if _, err = c.View(input[:cut], axpress.ViewOptions{}); !errors.As(err, &e) || e.Offset != cut {
					t.Errorf("%s cut at %d: %v", name, cut, err)
					return
				}
			}
		}(rand.New(rand.NewSource(int64(goroutine))))
	}
	group.Wait()
}

func TestClosingWhileCallsRunHarmsNone(t *testing.T) {
	for round := 0; round < 20; round++ {
		c, err := axpress.New()
		if err != nil {
			t.Fatal(err)
		}
		input := payload(t, "table")
		var group sync.WaitGroup
		for goroutine := 0; goroutine < 8; goroutine++ {
			group.Add(1)
			go func() {
				defer group.Done()
				for {
					if _, err := c.View(input, axpress.ViewOptions{}); err != nil {
						if !errors.Is(err, axpress.ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			}()
		}
		runtime.Gosched()
		c.Close()
		group.Wait()
	}
}

// residentBytes is how much of this process is in memory, after what Go can give back is given back.
func residentBytes(t *testing.T) int {
	runtime.GC()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("this system does not say how much memory a process has")
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes * 1024
}

func TestMemoryStaysFlat(t *testing.T) {
	c := compressor(t, axpress.WithIdle(2))
	whole := payload(t, "checkout")
	large := payload(t, "table")
	options := axpress.ViewOptions{Secrets: []axpress.Uid{{Node: 13}}, Query: "ticket"}
	call := func(number int) {
		// Payloads grow and shrink, most are cut and so fail, one in a hundred is large.
		cut := number * 97 % (len(whole) + 1)
		if _, err := c.Compress(whole[:cut], options); err == nil && cut != len(whole) {
			t.Fatal("half a payload gave a view")
		}
		if _, err := c.Compress(whole, axpress.ViewOptions{}); err != nil {
			t.Fatal(err)
		}
		if number%100 == 0 {
			page := axpress.Snapshot{Payload: large, Frames: []axpress.Frame{{Owner: axpress.Uid{Node: 3}, Payload: whole}}}
			if _, err := c.CompressSnapshot(page, options); err != nil {
				t.Fatal(err)
			}
		}
		if number%1000 == 0 {
			// Some compressors are closed, some are left to the collector.
			other, err := axpress.New()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := other.View(large, options); err != nil {
				t.Fatal(err)
			}
			if number%2000 == 0 {
				other.Close()
			}
		}
	}
	calls := *memoryCalls / 2
	for number := 0; number < calls/10; number++ {
		call(number)
	}
	before := residentBytes(t)
	for number := 0; number < calls; number++ {
		call(number)
	}
	after := residentBytes(t)
	t.Logf("%d calls: %.1f MB before, %.1f MB after", 2*calls, float64(before)/1e6, float64(after)/1e6)
	if grown := after - before; grown > 8<<20 {
		t.Fatalf("memory grew by %d bytes", grown)
	}
}

func Example() {
	payload, err := os.ReadFile(filepath.Join(fixtures, "checkout", "ax.json"))
	if err != nil {
		fmt.Println(err)
		return
	}
	compressor, err := axpress.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer compressor.Close()
	page, err := compressor.Compress(payload, axpress.ViewOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.Handle, page.View.Uids)
	// Output: ccr_49136a2603d4d572c5dff8914863bb8e [13 14 38]
}

func ExampleError() {
	compressor, err := axpress.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer compressor.Close()
	_, err = compressor.View([]byte(`{"nodes": [`), axpress.ViewOptions{})
	var e *axpress.Error
	if errors.As(err, &e) {
		fmt.Println(e.Code, e.Offset)
	}
	// Output: invalid-json 11
}

func ExampleCompressor_Outline() {
	compressor, err := axpress.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer compressor.Close()
	payload := []byte(`[{"nodeId":"1","role":{"value":"button"},"name":{"value":"Moor"},"backendDOMNodeId":7}]`)
	outline, err := compressor.Outline(payload, axpress.OutlineOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outline.Text)
	// Output: button "Moor"  #ref=7
}

func ExampleCompressor_Delta() {
	compressor, err := axpress.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer compressor.Close()
	page := []byte(`[{"nodeId":"1","role":{"value":"button"},"name":{"value":"Moor"},"backendDOMNodeId":7}]`)
	delta, err := compressor.Delta(page, page, axpress.ViewOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(delta.Text)
	// Output: no change
}

func benchmark(b *testing.B, call func(*axpress.Compressor, []byte) error) {
	for _, fixture := range []string{"checkout", "table"} {
		b.Run(fixture, func(b *testing.B) {
			c := compressor(b)
			input := payload(b, fixture)
			b.SetBytes(int64(len(input)))
			b.ReportAllocs()
			b.ResetTimer()
			for n := 0; n < b.N; n++ {
				if err := call(c, input); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkView(b *testing.B) {
	benchmark(b, func(c *axpress.Compressor, input []byte) error {
		_, err := c.View(input, axpress.ViewOptions{})
		return err
	})
}

func BenchmarkOutline(b *testing.B) {
	benchmark(b, func(c *axpress.Compressor, input []byte) error {
		_, err := c.Outline(input, axpress.OutlineOptions{})
		return err
	})
}

func BenchmarkCompress(b *testing.B) {
	benchmark(b, func(c *axpress.Compressor, input []byte) error {
		_, err := c.Compress(input, axpress.ViewOptions{})
		return err
	})
}
