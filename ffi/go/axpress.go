// Package axpress makes text that agents can afford out of Chrome's accessibility trees.
//
// The bytes of a real Accessibility.getFullAXTree result go in; a view for agents, an outline, and a blob that gives the
// bytes back come out. It is the Rust core, linked through its C ABI: what it gives is what Rust gives, byte for byte.
//
// A [Compressor] may be used from any number of goroutines. It keeps a pool of native compressors, hands one to each
// call, and copies what comes out: results are plain Go values, and no pointer outlives a call.
//
// # Errors
//
// A failure is an [*Error] with a code, the byte offset in the input at which it shows, and what to do next.
package axpress

/*
#include <string.h>
#include "axpress.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// ErrClosed is returned by every method of a compressor that was closed.
var ErrClosed = errors.New("axpress: the compressor is closed")

// Error is why a call gave no result.
type Error struct {
	// Status is the number of the failure, as in axpress.h.
	Status int
	// Code names it, in kebab case: "invalid-json".
	Code string
	// Offset is the byte of the input at which it shows; 0 where it is about no byte.
	Offset int
	// Message says what happened, NextStep what to do, each without a full stop.
	Message  string
	NextStep string
}

// Error says all of it in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("%s at byte %d: %s. Next: %s.", e.Code, e.Offset, e.Message, e.NextStep)
}

// Option sets something of a [Compressor].
type Option func(*settings)

type settings struct {
	inputBytes, nodes, outputBytes, idle int
}

// WithInputBytes sets the most bytes of one payload, and of what one blob may unpack to: 1 GiB if not set.
func WithInputBytes(bytes int) Option { return func(s *settings) { s.inputBytes = bytes } }

// WithNodes sets the most nodes of one page: 16 M if not set.
func WithNodes(nodes int) Option { return func(s *settings) { s.nodes = nodes } }

// WithOutputBytes sets the most bytes of one result: 256 MiB if not set.
func WithOutputBytes(bytes int) Option { return func(s *settings) { s.outputBytes = bytes } }

// WithIdle sets how many native compressors are kept for the next calls, with their memory: GOMAXPROCS if not set.
func WithIdle(compressors int) Option { return func(s *settings) { s.idle = compressors } }

// Compressor makes outlines, views and blobs. It is safe for use by many goroutines at once. Close it when done; one
// that is forgotten is closed by the garbage collector.
type Compressor struct {
	limits *C.axp_limits
	most   int

	mutex  sync.Mutex
	idle   []*native
	inUse  int
	closed bool
}

// native is a compressor of the library with options of its own: what one call needs.
type native struct {
	compressor *C.axp_compressor
	view       *C.axp_view_options
	outline    *C.axp_outline_options
}

// New makes a compressor.
func New(options ...Option) (*Compressor, error) {
	if loaded := uint32(C.axp_abi_version()); loaded != C.AXP_ABI_VERSION {
		return nil, fmt.Errorf("axpress: built for ABI %d, loaded %d", C.AXP_ABI_VERSION, loaded)
	}
	s := settings{inputBytes: -1, nodes: -1, outputBytes: -1, idle: runtime.GOMAXPROCS(0)}
	for _, option := range options {
		option(&s)
	}
	c := &Compressor{most: s.idle}
	if status := C.axp_limits_new(&c.limits); status != C.AXP_OK {
		return nil, errorOf(status)
	}
	runtime.SetFinalizer(c, (*Compressor).finalize)
	if s.inputBytes >= 0 {
		C.axp_limits_set_input_bytes(c.limits, C.size_t(s.inputBytes))
	}
	if s.nodes >= 0 {
		C.axp_limits_set_nodes(c.limits, C.size_t(s.nodes))
	}
	if s.outputBytes >= 0 {
		C.axp_limits_set_output_bytes(c.limits, C.size_t(s.outputBytes))
	}
	return c, nil
}

// Close frees what the compressor holds. Calls that are running end well; later ones give [ErrClosed]. Closing twice is
// fine.
func (c *Compressor) Close() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, n := range c.idle {
		n.free()
	}
	c.idle, c.closed = nil, true
	c.freeLimits()
	return nil
}

func (c *Compressor) finalize() { _ = c.Close() }

// freeLimits frees the limits when no call can need them any more. The mutex is held.
func (c *Compressor) freeLimits() {
	if c.closed && c.inUse == 0 {
		C.axp_limits_free(c.limits)
		c.limits = nil
	}
}

// take gives a native compressor for one call.
func (c *Compressor) take() (*native, error) {
	c.mutex.Lock()
	if c.closed {
		c.mutex.Unlock()
		return nil, ErrClosed
	}
	c.inUse++
	if last := len(c.idle) - 1; last >= 0 {
		n := c.idle[last]
		c.idle = c.idle[:last]
		c.mutex.Unlock()
		return n, nil
	}
	c.mutex.Unlock()
	n, err := newNative(c.limits)
	if err != nil {
		c.give(nil)
		return nil, err
	}
	return n, nil
}

// give takes it back, or frees it: where there are enough, and where it met a fault.
func (c *Compressor) give(n *native) {
	c.mutex.Lock()
	c.inUse--
	if n != nil && !c.closed && len(c.idle) < c.most {
		c.idle = append(c.idle, n)
		n = nil
	}
	c.freeLimits()
	c.mutex.Unlock()
	n.free()
}

// with makes a call with a native compressor, and the error of its status.
func (c *Compressor) with(call func(*native) C.axp_status) error {
	n, err := c.take()
	if err != nil {
		return err
	}
	defer runtime.KeepAlive(c)
	status := call(n)
	if status == C.AXP_OK {
		c.give(n)
		return nil
	}
	err = n.lastError(status)
	if status == C.AXP_PANIC || status == C.AXP_POISONED {
		n.free()
		n = nil
	}
	c.give(n)
	return err
}

func newNative(limits *C.axp_limits) (*native, error) {
	n := &native{}
	status := C.axp_compressor_new_with_limits(limits, &n.compressor)
	if status == C.AXP_OK {
		status = C.axp_view_options_new(&n.view)
	}
	if status == C.AXP_OK {
		status = C.axp_outline_options_new(&n.outline)
	}
	if status != C.AXP_OK {
		n.free()
		return nil, errorOf(status)
	}
	return n, nil
}

func (n *native) free() {
	if n != nil {
		C.axp_compressor_free(n.compressor)
		C.axp_view_options_free(n.view)
		C.axp_outline_options_free(n.outline)
	}
}

// lastError is the error of the call that gave this status.
func (n *native) lastError(status C.axp_status) error {
	for _, read := range []func(**C.axp_error) C.axp_status{
		func(e **C.axp_error) C.axp_status { return C.axp_compressor_error(n.compressor, e) },
		func(e **C.axp_error) C.axp_status { return C.axp_view_options_error(n.view, e) },
	} {
		var e *C.axp_error
		if read(&e) == C.AXP_OK && e.status == status {
			return &Error{
				Status:   int(status),
				Code:     text(e.code),
				Offset:   int(e.offset),
				Message:  text(e.message),
				NextStep: text(e.next_step),
			}
		}
	}
	return errorOf(status)
}

// errorOf is the error of a status that no object has more to say about.
func errorOf(status C.axp_status) error {
	return &Error{
		Status:   int(status),
		Code:     text(C.axp_status_code(status)),
		Message:  text(C.axp_status_message(status)),
		NextStep: text(C.axp_status_next_step(status)),
	}
}

// nothing is where an empty slice points: the library takes no NULL.
var nothing [1]byte

// data is where bytes are, for one call.
func data(bytes []byte) *C.uint8_t {
	if len(bytes) == 0 {
		return (*C.uint8_t)(&nothing[0])
	}
	return (*C.uint8_t)(unsafe.Pointer(&bytes[0]))
}

// text copies what the library lends.
func text(b C.axp_bytes) string {
	// C.GoStringN takes an int: a text has 256 MiB at most unless its limit was raised.
	if b.length > 1<<30 {
		return string(bytes(b))
	}
	return C.GoStringN((*C.char)(unsafe.Pointer(b.data)), C.int(b.length))
}

// bytes copies what the library lends.
func bytes(b C.axp_bytes) []byte {
	copied := make([]byte, int(b.length))
	if len(copied) > 0 {
		C.memcpy(unsafe.Pointer(&copied[0]), unsafe.Pointer(b.data), b.length)
	}
	return copied
}

// Version is the version of the library.
func Version() string { return text(C.axp_version()) }

// Handle is how an original is named: "ccr_" and the first 16 bytes of its SHA-256 in hex. Handles are in the order of
// their text.
type Handle string

func handleOf(h *C.axp_handle) Handle {
	return Handle(C.GoStringN((*C.char)(unsafe.Pointer(&h.text[0])), C.AXP_HANDLE_LENGTH))
}

// HandleOf is the handle of any bytes, as they came.
func HandleOf(original []byte) Handle {
	var h C.axp_handle
	if status := C.axp_handle_of(data(original), C.size_t(len(original)), &h); status != C.AXP_OK {
		// The one failure that a slice can't have: a pointer that is NULL, or a length that no memory has.
		panic(errorOf(status))
	}
	return handleOf(&h)
}

// ParseHandle reads a handle, or the first 8 or more digits of one, with or without "ccr_". It gives the first and the
// last of all handles that begin so; they are the same where all 32 digits were given.
func ParseHandle(s string) (first, last Handle, err error) {
	var f, l C.axp_handle
	var offset C.size_t
	digits := []byte(s)
	status := C.axp_handle_parse(data(digits), C.size_t(len(digits)), &f, &l, &offset)
	if status != C.AXP_OK {
		e := errorOf(status).(*Error)
		e.Offset = int(offset)
		return "", "", e
	}
	return handleOf(&f), handleOf(&l), nil
}

// Uid is a handle of a node as a view prints it: "@12", or "@2.12" for a node in the frame that the caller numbered 2.
type Uid struct {
	// Frame is the number that the caller gave the frame; 0 for the page's own process.
	Frame uint32
	// Node is the backendDOMNodeId.
	Node uint64
}

// String is the uid as a view prints it, without its mark.
func (u Uid) String() string {
	if u.Frame == 0 {
		return fmt.Sprint(u.Node)
	}
	return strings.Join([]string{fmt.Sprint(u.Frame), fmt.Sprint(u.Node)}, ".")
}
