package axpress

import (
	stdbytes "bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// Conn is a connection to a target of Chrome's, over which the DevTools Protocol is spoken: a page's session, most
// often. Call sends a method with its parameters and gives the bytes of the reply's "result" as they came.
type Conn interface {
	Call(ctx context.Context, method string, params any) (json.RawMessage, error)
}

// ErrNoConnection is returned where there is no connection to ask.
var ErrNoConnection = errors.New("axpress: there is no connection: nil was given for it")

// FrameElsewhereError says that the target that was asked does not have the frame: another process has its document.
type FrameElsewhereError struct {
	// FrameID is the frame's id, and the id of the target that has its document.
	FrameID string
	// Err is what Chrome said, or nil where it gave a tree without nodes.
	Err error
}

// Error says which target is needed.
func (e *FrameElsewhereError) Error() string {
	said := "the tree has no nodes"
	if e.Err != nil {
		said = e.Err.Error()
	}
	return fmt.Sprintf("axpress: frame %s is not in this target (%s). Next: attach to the target of type iframe whose "+
		"targetId is %s (Target.setAutoAttach or Target.attachToTarget), and ask its session for the whole tree, "+
		"without a frame id.", e.FrameID, said, e.FrameID)
}

// Unwrap gives what Chrome said.
func (e *FrameElsewhereError) Unwrap() error { return e.Err }

// outliner makes the outlines of all pages; its pool is the one for all goroutines.
var outliner = struct {
	sync.Once
	*Compressor
	err error
}{}

// CdpGetAXOutline asks a target for the accessibility tree of a frame, or of the whole target where frameID is empty,
// and gives its outline, cut at maxChars code points; 0 for no end.
//
// It uses the connection that it is given and opens none of its own. What Chrome or the connection fails with comes
// through, to be found with errors.Is and errors.As.
func CdpGetAXOutline(conn Conn, frameID string, maxChars int) (string, error) {
	return CdpGetAXOutlineContext(context.Background(), conn, frameID, maxChars)
}

// CdpGetAXOutlineContext is [CdpGetAXOutline] with a context, which is handed to every call of the connection.
func CdpGetAXOutlineContext(ctx context.Context, conn Conn, frameID string, maxChars int) (string, error) {
	if absent(conn) {
		return "", ErrNoConnection
	}
	outliner.Do(func() { outliner.Compressor, outliner.err = New() })
	if outliner.err != nil {
		return "", outliner.err
	}
	// Enabled every time: a session that was just attached has it off, and switching it on twice costs nothing.
	if _, err := conn.Call(ctx, "Accessibility.enable", map[string]any{}); err != nil {
		return "", fmt.Errorf("axpress: Accessibility.enable: %w", err)
	}
	params := map[string]any{}
	if frameID != "" {
		params["frameId"] = frameID
	}
	payload, err := conn.Call(ctx, "Accessibility.getFullAXTree", params)
	if err != nil {
		if frameID != "" && strings.Contains(err.Error(), "frameId is not found") {
			return "", &FrameElsewhereError{FrameID: frameID, Err: err}
		}
		return "", fmt.Errorf("axpress: Accessibility.getFullAXTree: %w", err)
	}
	if frameID != "" && nothingIn(payload) {
		return "", &FrameElsewhereError{FrameID: frameID}
	}
	outline, err := outliner.Outline(payload, OutlineOptions{MaxChars: maxChars})
	if err != nil {
		return "", fmt.Errorf("axpress: Accessibility.getFullAXTree: %w", err)
	}
	if frameID != "" && outline.Nodes == 0 {
		return "", &FrameElsewhereError{FrameID: frameID}
	}
	return outline.Text, nil
}

// absent tells whether there is no connection: nil, or a nil of a connection's type.
func absent(conn Conn) bool {
	if conn == nil {
		return true
	}
	switch value := reflect.ValueOf(conn); value.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.Interface:
		return value.IsNil()
	default:
		return false
	}
}

// nothingIn tells whether a reply has no tree at all.
func nothingIn(payload []byte) bool {
	switch string(stdbytes.TrimSpace(payload)) {
	case "", "null", "{}":
		return true
	default:
		return false
	}
}
