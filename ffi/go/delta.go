package axpress

/*
#include "axpress.h"
*/
import "C"

import "unsafe"

// DeltaKind is what the text of a delta is.
type DeltaKind int

const (
	// Unchanged: the text is "no change".
	Unchanged DeltaKind = C.AXP_DELTA_UNCHANGED
	// Changed: the text has the changes.
	Changed DeltaKind = C.AXP_DELTA_CHANGED
	// Rewritten: the text is the new view, below a line that says so.
	Rewritten DeltaKind = C.AXP_DELTA_REWRITTEN
)

// ChangeKind is what happened to a line.
type ChangeKind int

const (
	// LineCame: it is new.
	LineCame ChangeKind = C.AXP_CHANGE_CAME
	// LineWent: it is no longer there.
	LineWent ChangeKind = C.AXP_CHANGE_WENT
	// LineChanged: it stands for the same as the old line, and reads differently.
	LineChanged ChangeKind = C.AXP_CHANGE_CHANGED
	// LineMoved: it reads as before, elsewhere.
	LineMoved ChangeKind = C.AXP_CHANGE_MOVED
	// LineIndented: it reads as before, deeper or less deep; it is not in the text.
	LineIndented ChangeKind = C.AXP_CHANGE_INDENTED
)

// Change is one change, by the positions of lines, from 0.
type Change struct {
	Kind ChangeKind
	// Before is the line's position in the old view, -1 where it came; After that in the new one, -1 where it went.
	Before, After int
	// Line as it stands in the new view, indented; empty where it went.
	Line string
}

// Delta is what changed between two payloads of a page.
type Delta struct {
	Kind DeltaKind
	Text string
	// Uids of the text, all of the new view.
	Uids []Uid
	// Changes are all of them, whatever the text says. The lines of the old view that none names fill the positions of
	// the new one that none names, in their order.
	Changes []Change
	// LinesBefore and LinesAfter count the lines of the two views.
	LinesBefore, LinesAfter int
	// FramesLeftOut is that of the new page.
	FramesLeftOut int
}

// Delta tells what changed from one payload of a page to the next. Both are read with the options; their query is not
// heeded.
func (c *Compressor) Delta(before, after []byte, options ViewOptions) (Delta, error) {
	return c.DeltaSnapshots(Snapshot{Payload: before}, Snapshot{Payload: after}, options)
}

// DeltaSnapshots tells what changed from one page to the next, each with its frames.
func (c *Compressor) DeltaSnapshots(before, after Snapshot, options ViewOptions) (Delta, error) {
	var made Delta
	err := c.with(func(n *native) C.axp_status {
		var d *C.axp_delta
		status := n.set(options)
		if status == C.AXP_OK && len(before.Frames)+len(after.Frames) == 0 {
			status = C.axp_compressor_delta(n.compressor, data(before.Payload), C.size_t(len(before.Payload)),
				data(after.Payload), C.size_t(len(after.Payload)), n.view, &d)
		} else if status == C.AXP_OK {
			status = withSnapshot(before, func(b *C.axp_snapshot) C.axp_status {
				return withSnapshot(after, func(a *C.axp_snapshot) C.axp_status {
					return C.axp_compressor_delta_snapshots(n.compressor, b, a, n.view, &d)
				})
			})
		}
		if status == C.AXP_OK {
			made = delta(d)
		}
		return status
	})
	return made, err
}

func delta(d *C.axp_delta) Delta {
	made := Delta{
		Kind:          DeltaKind(d.kind),
		Text:          text(d.text),
		Uids:          uids(d.uids, d.uids_length),
		LinesBefore:   int(d.lines_before),
		LinesAfter:    int(d.lines_after),
		FramesLeftOut: int(d.frames_left_out),
	}
	if length := int(d.changes_length); length > 0 {
		made.Changes = make([]Change, length)
		for position, change := range unsafe.Slice(d.changes, length) {
			made.Changes[position] = Change{
				ChangeKind(change.kind), line(change.before), line(change.after), text(change.line),
			}
		}
	}
	return made
}

// line is a position, -1 for none.
func line(position C.uint32_t) int {
	if position == C.AXP_NO_LINE {
		return -1
	}
	return int(position)
}
