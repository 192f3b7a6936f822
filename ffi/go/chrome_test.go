//go:build chrome

// With a Chromium: go test -tags chrome. AXPRESS_CHROME is its path, AXPRESS_CHROME_ARGS its further flags; root needs
// --no-sandbox there.

package axpress_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"axpress"
)

// chrome is a Chromium of the test's own, spoken to over a pipe: no port is opened.
type chrome struct {
	mutex   sync.Mutex
	write   *os.File
	last    int
	waiting map[int]chan reply
	events  chan event
}

type event struct {
	Method    string
	SessionID string
	Params    json.RawMessage
}

type reply struct {
	ID     int
	Result json.RawMessage
	Error  *protocolError
}

type protocolError struct {
	Code    int
	Message string
}

func (e *protocolError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

func startChrome(t *testing.T) *chrome {
	t.Helper()
	path := os.Getenv("AXPRESS_CHROME")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	if path == "" {
		t.Fatal("no Chromium: install one, or set AXPRESS_CHROME to its path")
	}
	theirRead, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read, theirWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	arguments := []string{
		"--headless=new", "--remote-debugging-pipe", "--user-data-dir=" + t.TempDir(), "--no-first-run",
		"--disable-gpu", "--site-per-process",
	}
	arguments = append(arguments, strings.Fields(os.Getenv("AXPRESS_CHROME_ARGS"))...)
	command := exec.Command(path, append(arguments, "about:blank")...)
	command.ExtraFiles = []*os.File{theirRead, theirWrite}
	var said strings.Builder
	command.Stderr = &said
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	theirRead.Close()
	theirWrite.Close()
	c := &chrome{write: write, waiting: map[int]chan reply{}, events: make(chan event, 1000)}
	ended := make(chan struct{})
	go func() {
		c.readAll(read)
		close(ended)
	}()
	t.Cleanup(func() {
		// Chrome ends when its end of the pipe does.
		write.Close()
		timer := time.AfterFunc(10*time.Second, func() { command.Process.Kill() })
		command.Wait()
		timer.Stop()
		<-ended
		if t.Failed() {
			t.Log(said.String())
		}
	})
	return c
}

func (c *chrome) readAll(read *os.File) {
	reader := bufio.NewReader(read)
	for {
		message, err := reader.ReadBytes(0)
		if err != nil {
			break
		}
		message = message[:len(message)-1]
		var r reply
		if json.Unmarshal(message, &r) == nil && r.ID != 0 {
			c.mutex.Lock()
			waiting := c.waiting[r.ID]
			delete(c.waiting, r.ID)
			c.mutex.Unlock()
			waiting <- r
			continue
		}
		var e event
		if json.Unmarshal(message, &e) == nil {
			select {
			case c.events <- e:
			default:
			}
		}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for id, waiting := range c.waiting {
		waiting <- reply{Error: &protocolError{Message: "Chrome has ended"}}
		delete(c.waiting, id)
	}
}

// session is a connection to one target; the empty one is the browser's.
type session struct {
	*chrome
	id string
}

func (s session) Call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	waiting := make(chan reply, 1)
	s.mutex.Lock()
	s.last++
	id := s.last
	s.waiting[id] = waiting
	message := map[string]any{"id": id, "method": method, "params": params}
	if s.id != "" {
		message["sessionId"] = s.id
	}
	sent, err := json.Marshal(message)
	if err == nil {
		_, err = s.write.Write(append(sent, 0))
	}
	s.mutex.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case r := <-waiting:
		if r.Error != nil {
			return nil, r.Error
		}
		return r.Result, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func call[T any](t *testing.T, s session, method string, params any) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	result, err := s.Call(ctx, method, params)
	var decoded T
	if err == nil {
		err = json.Unmarshal(result, &decoded)
	}
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return decoded
}

type nothing struct{}

// openPage opens a page and gives its session, when it has loaded.
func openPage(t *testing.T, c *chrome, address string) session {
	t.Helper()
	browser := session{c, ""}
	target := call[struct{ TargetID string }](t, browser, "Target.createTarget", map[string]any{"url": "about:blank"})
	attached := call[struct{ SessionID string }](t, browser, "Target.attachToTarget",
		map[string]any{"targetId": target.TargetID, "flatten": true})
	page := session{c, attached.SessionID}
	call[nothing](t, page, "Page.enable", map[string]any{})
	call[nothing](t, page, "Page.navigate", map[string]any{"url": address})
	deadline := time.After(30 * time.Second)
	for {
		select {
		case e := <-c.events:
			if e.Method == "Page.loadEventFired" && e.SessionID == page.id {
				return page
			}
		case <-deadline:
			t.Fatal("the page did not load")
		}
	}
}

const harbour = `<!doctype html><title>Harbour</title><h1>Harbour office</h1>
<label>Berth <input value="B12"></label><button>Moor</button>
<iframe title="Tides" srcdoc="<button>Next tide</button>"></iframe>
<iframe title="Payment" src="http://%s/pay"></iframe>`

func TestCdpGetAXOutlineWithALiveChromium(t *testing.T) {
	var other string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/pay" {
			fmt.Fprint(w, "<!doctype html><title>Pay</title><button>Pay 40</button>")
			return
		}
		fmt.Fprintf(w, harbour, other)
	}))
	defer server.Close()
	// The same server by another name is another site, and so another process.
	other = strings.Replace(strings.TrimPrefix(server.URL, "http://"), "127.0.0.1", "localhost", 1)

	c := startChrome(t)
	page := openPage(t, c, server.URL)
	outline, err := axpress.CdpGetAXOutline(page, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the page:\n%s", outline)
	for _, line := range []string{`RootWebArea "Harbour"`, `heading "Harbour office"`, `textbox "Berth" = 'B12'  #ref=`,
		`button "Moor"  #ref=`, "Iframe \"Payment\""} {
		if !strings.Contains(outline, line) {
			t.Errorf("the outline lacks %s", line)
		}
	}

	type frame struct{ ID string }
	tree := call[struct {
		FrameTree struct {
			Frame       frame
			ChildFrames []struct{ Frame frame }
		}
	}](t, page, "Page.getFrameTree", map[string]any{}).FrameTree
	if len(tree.ChildFrames) != 1 {
		t.Fatalf("one frame is the page's own process's, not %d", len(tree.ChildFrames))
	}
	outline, err = axpress.CdpGetAXOutline(page, tree.ChildFrames[0].Frame.ID, 0)
	if err != nil || !strings.Contains(outline, `button "Next tide"  #ref=`) || strings.Contains(outline, "Moor") {
		t.Fatal(outline, err)
	}

	// The other frame has a target of its own; asked of the page, the error names it.
	targets := call[struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}](t, session{c, ""}, "Target.getTargets", map[string]any{}).TargetInfos
	pay := ""
	for _, target := range targets {
		if target.Type == "iframe" && strings.HasSuffix(target.URL, "/pay") {
			pay = target.TargetID
		}
	}
	if pay == "" {
		t.Fatalf("no target of the frame in %+v", targets)
	}
	_, err = axpress.CdpGetAXOutline(page, pay, 0)
	var elsewhere *axpress.FrameElsewhereError
	if !errors.As(err, &elsewhere) || elsewhere.FrameID != pay {
		t.Fatal(err)
	}
	var said *protocolError
	t.Logf("asked of the page: %v (Chrome's own error comes through: %v)", err, errors.As(err, &said))
	attached := call[struct{ SessionID string }](t, session{c, ""}, "Target.attachToTarget",
		map[string]any{"targetId": pay, "flatten": true})
	outline, err = axpress.CdpGetAXOutline(session{c, attached.SessionID}, "", 0)
	if err != nil || !strings.Contains(outline, `button "Pay 40"  #ref=`) {
		t.Fatal(outline, err)
	}

	// A call that Chrome refuses comes through as what it is.
	_, err = axpress.CdpGetAXOutline(session{c, "no such session"}, "", 0)
	if !errors.As(err, &said) || said.Code == 0 {
		t.Fatal(err)
	}
}
