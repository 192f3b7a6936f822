package axpress

/*
#include <stdlib.h>
#include "axpress.h"
*/
import "C"

import "unsafe"

// Statistics counts what a payload holds.
type Statistics struct {
	// Nodes, without repeats.
	Nodes int
	// Repeats of an earlier node's id: Chrome writes some generated text twice. They are not there.
	Repeats int
	// Roots are nodes whose parent is absent or not in the payload: 1 for a whole page.
	Roots int
}

// OutlineOptions says how an outline is made.
type OutlineOptions struct {
	// MaxChars cuts the text at that many code points and says so; 0 for no end.
	MaxChars int
	// DedupText drops texts that the name or value of what they stand in already says.
	DedupText bool
	// Secrets are backend node ids whose value and inner text are never printed.
	Secrets []uint64
}

// Outline is the plain rendering: a line a node.
type Outline struct {
	Text string
	// Nodes of the payload, without repeats.
	Nodes int
	// Unreached nodes are those that no root reaches, TooDeep those below level 59: not printed.
	Unreached int
	TooDeep   int
}

// ViewOptions says how a view is made. The zero value is the whole page.
type ViewOptions struct {
	// Query keeps only what matches these words, best first; "" for all.
	Query string
	// MaxBytes is a budget for the text, 200 at least; 0 for none.
	MaxBytes int
	// Viewport are nodes that a person sees without scrolling: under a budget their lines are kept before the rest.
	Viewport []Uid
	// URLs prints the address of links: origin and path, cut at 80 characters.
	URLs bool
	// Root is the node whose subtree alone is wanted; nil for the whole page.
	Root *Uid
	// Secrets are nodes whose value and inner text are never printed.
	Secrets []Uid
	// Clickable are nodes that get a uid whatever their role.
	Clickable []Uid
}

// Frame is the document of a frame.
type Frame struct {
	// Owner is the element that holds the frame.
	Owner Uid
	// Number is 0 where the page's own process has the document, else a number that no other document of the session had.
	Number uint32
	// Payload is the result of Accessibility.getFullAXTree for it.
	Payload []byte
}

// Snapshot is a page: the payload of its document, and those of the frames in it, in any order, to any depth.
type Snapshot struct {
	Payload []byte
	Frames  []Frame
}

// View is what an agent should read.
type View struct {
	Text string
	// Uids of the text, in the order in which they stand there, and no others.
	Uids []Uid
	// Nodes of all payloads, repeats included.
	Nodes int
	// FramesLeftOut counts frames of the snapshot that no element of the page holds.
	FramesLeftOut int
	// LeftOut is what of the full view is not in this one, because of a query or a budget.
	LeftOut LeftOut
}

// LeftOut counts what of a full view is not in a view.
type LeftOut struct {
	// Uids, Characters (without indentation and line feeds) and Lines of which nothing is there.
	Uids, Characters, Lines int
	// Matches are rows, items and lines that match the query and are not shown.
	Matches int
}

// Range is where in a payload something is: from the byte Start up to the byte End.
type Range struct{ Start, End int }

// Compressed is a view and what it stands for. All but the view is of the page's own payload, without frames.
type Compressed struct {
	View View
	// Handle names the original, Blob gives it back.
	Handle Handle
	Blob   []byte
	// OriginalBytes is the original's length.
	OriginalBytes int
	// Uncompressed says that the view is no smaller than the payload: pass the payload on instead.
	Uncompressed bool
}

// Scan reads a payload, validates all of it and counts what it holds.
func (c *Compressor) Scan(payload []byte) (Statistics, error) {
	var made Statistics
	err := c.with(func(n *native) C.axp_status {
		var s *C.axp_statistics
		status := C.axp_compressor_scan(n.compressor, data(payload), C.size_t(len(payload)), &s)
		if status == C.AXP_OK {
			made = statistics(s)
		}
		return status
	})
	return made, err
}

// Outline makes the outline of a payload.
func (c *Compressor) Outline(payload []byte, options OutlineOptions) (Outline, error) {
	var made Outline
	err := c.with(func(n *native) C.axp_status {
		C.axp_outline_options_set_max_chars(n.outline, size(options.MaxChars))
		C.axp_outline_options_set_dedup_text(n.outline, C.bool(options.DedupText))
		// The address of nothing, where there are none: the library takes no NULL.
		secrets := append(options.Secrets[:len(options.Secrets):len(options.Secrets)], 0)
		C.axp_outline_options_set_secrets(n.outline, (*C.uint64_t)(&secrets[0]), C.size_t(len(options.Secrets)))
		var o *C.axp_outline
		status := C.axp_compressor_outline(n.compressor, data(payload), C.size_t(len(payload)), n.outline, &o)
		if status == C.AXP_OK {
			made = Outline{text(o.text), int(o.nodes), int(o.unreached), int(o.too_deep)}
		}
		return status
	})
	return made, err
}

// View makes the view of a page without frames.
func (c *Compressor) View(payload []byte, options ViewOptions) (View, error) {
	return c.ViewSnapshot(Snapshot{Payload: payload}, options)
}

// ViewSnapshot makes the view of a page with its frames. An error's offset is one in the payload that is at fault.
func (c *Compressor) ViewSnapshot(page Snapshot, options ViewOptions) (View, error) {
	var made View
	err := c.with(func(n *native) C.axp_status {
		var v *C.axp_view
		status := n.set(options)
		if status == C.AXP_OK && len(page.Frames) == 0 {
			payload := page.Payload
			status = C.axp_compressor_view(n.compressor, data(payload), C.size_t(len(payload)), n.view, &v)
		} else if status == C.AXP_OK {
			status = withSnapshot(page, func(s *C.axp_snapshot) C.axp_status {
				return C.axp_compressor_view_snapshot(n.compressor, s, n.view, &v)
			})
		}
		if status == C.AXP_OK {
			made = view(v)
		}
		return status
	})
	return made, err
}

// Compress makes view, handle and blob of a page without frames.
func (c *Compressor) Compress(payload []byte, options ViewOptions) (Compressed, error) {
	return c.CompressSnapshot(Snapshot{Payload: payload}, options)
}

// CompressSnapshot makes view, handle and blob of a page with its frames.
func (c *Compressor) CompressSnapshot(page Snapshot, options ViewOptions) (Compressed, error) {
	var made Compressed
	err := c.with(func(n *native) C.axp_status {
		var p *C.axp_compressed
		status := n.set(options)
		if status == C.AXP_OK && len(page.Frames) == 0 {
			payload := page.Payload
			status = C.axp_compressor_compress(n.compressor, data(payload), C.size_t(len(payload)), n.view, &p)
		} else if status == C.AXP_OK {
			status = withSnapshot(page, func(s *C.axp_snapshot) C.axp_status {
				return C.axp_compressor_compress_snapshot(n.compressor, s, n.view, &p)
			})
		}
		if status == C.AXP_OK {
			made = Compressed{
				View:          view(p.view),
				Handle:        handleOf(&p.handle),
				Blob:          bytes(p.blob),
				OriginalBytes: int(p.original_bytes),
				Uncompressed:  bool(p.uncompressed),
			}
		}
		return status
	})
	return made, err
}

// Nodes tells where in a payload the nodes are that match a query, the best first.
func (c *Compressor) Nodes(payload []byte, query string) ([]Range, error) {
	var ranges []Range
	err := c.with(func(n *native) C.axp_status {
		words := []byte(query)
		var found *C.axp_nodes
		status := C.axp_compressor_nodes(n.compressor, data(payload), C.size_t(len(payload)), data(words),
			C.size_t(len(words)), &found)
		if status == C.AXP_OK && found.ranges_length > 0 {
			for _, found := range unsafe.Slice(found.ranges, int(found.ranges_length)) {
				ranges = append(ranges, Range{int(found.start), int(found.end)})
			}
		}
		return status
	})
	return ranges, err
}

// Pack makes the blob of any bytes, JSON or not, and their handle.
func (c *Compressor) Pack(original []byte) (Handle, []byte, error) {
	var handle Handle
	var blob []byte
	err := c.with(func(n *native) C.axp_status {
		var p *C.axp_packed
		status := C.axp_compressor_pack(n.compressor, data(original), C.size_t(len(original)), &p)
		if status == C.AXP_OK {
			handle, blob = handleOf(&p.handle), bytes(p.blob)
		}
		return status
	})
	return handle, blob, err
}

// Unpack gives the original of a blob, its hash checked.
func (c *Compressor) Unpack(blob []byte) ([]byte, error) {
	var original []byte
	err := c.with(func(n *native) C.axp_status {
		var b C.axp_bytes
		status := C.axp_compressor_unpack(n.compressor, data(blob), C.size_t(len(blob)), &b)
		if status == C.AXP_OK {
			original = bytes(b)
		}
		return status
	})
	return original, err
}

// size is a count for C; less than none is none.
func size(count int) C.size_t {
	if count < 0 {
		return 0
	}
	return C.size_t(count)
}

// set makes the library's options of ours.
func (n *native) set(options ViewOptions) C.axp_status {
	status := C.axp_view_options_reset(n.view)
	if status == C.AXP_OK && options.Query != "" {
		query := []byte(options.Query)
		status = C.axp_view_options_set_query(n.view, data(query), C.size_t(len(query)))
	}
	if status == C.AXP_OK && options.MaxBytes != 0 {
		status = C.axp_view_options_set_max_bytes(n.view, size(options.MaxBytes))
	}
	if status == C.AXP_OK && options.URLs {
		status = C.axp_view_options_set_urls(n.view, true)
	}
	if status == C.AXP_OK && options.Root != nil {
		status = C.axp_view_options_set_root(n.view, options.Root.c())
	}
	if status == C.AXP_OK && len(options.Viewport) > 0 {
		viewport := cUids(options.Viewport)
		status = C.axp_view_options_set_viewport(n.view, &viewport[0], C.size_t(len(viewport)))
	}
	if status == C.AXP_OK && len(options.Secrets) > 0 {
		secrets := cUids(options.Secrets)
		status = C.axp_view_options_set_secrets(n.view, &secrets[0], C.size_t(len(secrets)))
	}
	if status == C.AXP_OK && len(options.Clickable) > 0 {
		clickable := cUids(options.Clickable)
		status = C.axp_view_options_set_clickable(n.view, &clickable[0], C.size_t(len(clickable)))
	}
	return status
}

func (u Uid) c() C.axp_uid { return C.axp_uid{frame: C.uint32_t(u.Frame), node: C.uint64_t(u.Node)} }

func cUids(uids []Uid) []C.axp_uid {
	copied := make([]C.axp_uid, len(uids))
	for position, uid := range uids {
		copied[position] = uid.c()
	}
	return copied
}

// withSnapshot makes a call with a page that has frames. The library keeps the payloads' addresses from one function to
// the next, which Go's memory may not be given for: they are copied.
func withSnapshot(page Snapshot, call func(*C.axp_snapshot) C.axp_status) C.axp_status {
	var copies []unsafe.Pointer
	defer func() {
		for _, copied := range copies {
			C.free(copied)
		}
	}()
	keep := func(payload []byte) (*C.uint8_t, C.size_t) {
		if len(payload) == 0 {
			// Room for one byte, since there has to be an address.
			payload = nothing[:]
			copied := C.CBytes(payload)
			copies = append(copies, copied)
			return (*C.uint8_t)(copied), 0
		}
		copied := C.CBytes(payload)
		copies = append(copies, copied)
		return (*C.uint8_t)(copied), C.size_t(len(payload))
	}
	var snapshot *C.axp_snapshot
	payload, length := keep(page.Payload)
	status := C.axp_snapshot_new(payload, length, &snapshot)
	defer func() { C.axp_snapshot_free(snapshot) }()
	for _, frame := range page.Frames {
		if status == C.AXP_OK {
			payload, length := keep(frame.Payload)
			status = C.axp_snapshot_add_frame(snapshot, frame.Owner.c(), C.uint32_t(frame.Number), payload, length)
		}
	}
	if status == C.AXP_OK {
		status = call(snapshot)
	}
	return status
}

func statistics(s *C.axp_statistics) Statistics {
	return Statistics{int(s.nodes), int(s.repeats), int(s.roots)}
}

func view(v *C.axp_view) View {
	return View{
		Text:          text(v.text),
		Uids:          uids(v.uids, v.uids_length),
		Nodes:         int(v.nodes),
		FramesLeftOut: int(v.frames_left_out),
		LeftOut: LeftOut{
			Uids:       int(v.uids_left_out),
			Characters: int(v.characters_left_out),
			Lines:      int(v.lines_left_out),
			Matches:    int(v.matches_left_out),
		},
	}
}

func uids(first *C.axp_uid, length C.size_t) []Uid {
	if length == 0 {
		return nil
	}
	copied := make([]Uid, int(length))
	for position, uid := range unsafe.Slice(first, int(length)) {
		copied[position] = Uid{uint32(uid.frame), uint64(uid.node)}
	}
	return copied
}
