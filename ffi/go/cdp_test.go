package axpress_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"axpress"
)

const button = `{"nodes":[{"nodeId":"1","role":{"value":"button"},"name":{"value":"Moor"},"backendDOMNodeId":7}]}`

var errGone = errors.New("the session is gone")

// fake is a connection that writes down what it is asked, and answers with what it is told to.
type fake struct {
	mutex sync.Mutex
	asked []string
	trees map[string]string
	fails map[string]error
}

func (f *fake) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	sent, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	f.asked = append(f.asked, method+" "+string(sent))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := f.fails[method]; err != nil {
		return nil, err
	}
	if method != "Accessibility.getFullAXTree" {
		return json.RawMessage("{}"), nil
	}
	var decoded struct{ FrameID string }
	if err := json.Unmarshal(sent, &decoded); err != nil {
		return nil, err
	}
	return json.RawMessage(f.trees[decoded.FrameID]), nil
}

func TestCdpGetAXOutlineEnablesThenAsksForTheWholeTree(t *testing.T) {
	conn := &fake{trees: map[string]string{"": button}}
	for call := 1; call <= 2; call++ {
		outline, err := axpress.CdpGetAXOutline(conn, "", 0)
		if err != nil || outline != `button "Moor"  #ref=7` {
			t.Fatal(outline, err)
		}
		if len(conn.asked) != 2*call || conn.asked[2*call-2] != "Accessibility.enable {}" ||
			conn.asked[2*call-1] != "Accessibility.getFullAXTree {}" {
			t.Fatal(conn.asked)
		}
	}
}

func TestCdpGetAXOutlineAsksForAFrame(t *testing.T) {
	conn := &fake{trees: map[string]string{"F1": button}}
	outline, err := axpress.CdpGetAXOutline(conn, "F1", 6)
	if err != nil || outline != "button\n…[outline truncado]" {
		t.Fatal(outline, err)
	}
	if conn.asked[1] != `Accessibility.getFullAXTree {"frameId":"F1"}` {
		t.Fatal(conn.asked)
	}
}

func TestCdpGetAXOutlineWithoutAConnectionIsAnErrorAtOnce(t *testing.T) {
	var typed *fake
	for _, conn := range []axpress.Conn{nil, typed} {
		outline, err := axpress.CdpGetAXOutline(conn, "", 0)
		if !errors.Is(err, axpress.ErrNoConnection) || outline != "" {
			t.Fatal(outline, err)
		}
	}
}

func TestCdpGetAXOutlineLetsErrorsOfTheConnectionThrough(t *testing.T) {
	for _, method := range []string{"Accessibility.enable", "Accessibility.getFullAXTree"} {
		for _, frame := range []string{"", "F1"} {
			conn := &fake{fails: map[string]error{method: fmt.Errorf("sending: %w", errGone)}}
			outline, err := axpress.CdpGetAXOutline(conn, frame, 0)
			if !errors.Is(err, errGone) || !strings.Contains(err.Error(), method) || outline != "" {
				t.Fatal(outline, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	conn := &fake{trees: map[string]string{"": button}}
	if _, err := axpress.CdpGetAXOutlineContext(ctx, conn, "", 0); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if len(conn.asked) != 1 {
		t.Fatal("it went on after the first call had failed", conn.asked)
	}
}

func TestCdpGetAXOutlineLetsErrorsOfThePayloadThrough(t *testing.T) {
	conn := &fake{trees: map[string]string{"": `{"nodes":[{}]}`}}
	_, err := axpress.CdpGetAXOutline(conn, "", 0)
	failure(t, err, "invalid-node-id", 10)
}

func TestCdpGetAXOutlineSaysWhichTargetHasAFrameOfAnotherProcess(t *testing.T) {
	for _, empty := range []string{"", "null", "{}", ` {"nodes":[]} `, "[]"} {
		conn := &fake{trees: map[string]string{"F2": empty}}
		_, err := axpress.CdpGetAXOutline(conn, "F2", 0)
		var elsewhere *axpress.FrameElsewhereError
		if !errors.As(err, &elsewhere) || elsewhere.FrameID != "F2" {
			t.Fatalf("%q: %v", empty, err)
		}
		if !strings.Contains(err.Error(), "targetId is F2") || !strings.Contains(err.Error(), "Target.") {
			t.Fatal(err)
		}
	}
	// Without a frame id there is nothing to point to: an empty tree is an empty outline.
	conn := &fake{trees: map[string]string{"": `{"nodes":[]}`}}
	if outline, err := axpress.CdpGetAXOutline(conn, "", 0); err != nil || outline != "" {
		t.Fatal(outline, err)
	}
	// What Chrome says for such a frame comes through too.
	said := errors.New("Frame with the given frameId is not found.")
	conn = &fake{fails: map[string]error{"Accessibility.getFullAXTree": said}}
	_, err := axpress.CdpGetAXOutline(conn, "F2", 0)
	var elsewhere *axpress.FrameElsewhereError
	if !errors.As(err, &elsewhere) || !errors.Is(err, said) {
		t.Fatal(err)
	}
}

func TestCdpGetAXOutlineServesManyGoroutines(t *testing.T) {
	var group sync.WaitGroup
	for goroutine := 0; goroutine < 8; goroutine++ {
		group.Add(1)
		go func(name string) {
			defer group.Done()
			conn := &fake{trees: map[string]string{"": strings.Replace(button, "Moor", name, 1)}}
			for call := 0; call < 200; call++ {
				outline, err := axpress.CdpGetAXOutline(conn, "", 0)
				if err != nil || outline != fmt.Sprintf(`button "%s"  #ref=7`, name) {
					t.Error(outline, err)
					return
				}
			}
		}(fmt.Sprint("Berth ", goroutine))
	}
	group.Wait()
}
