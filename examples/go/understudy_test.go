package users

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// understudy is a server whose forks are the worlds of tests. It needs the command `understudy`.
type understudy struct {
	url    string
	server *exec.Cmd
	ended  chan error
}

// startUnderstudy starts a server on a free port. Options are those of `understudy serve`.
func startUnderstudy(options ...string) (*understudy, error) {
	folder, err := os.MkdirTemp("", "understudy")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	ready := filepath.Join(folder, "url")
	server := exec.Command("understudy", append([]string{"serve", "--port", "0", "--json", "--ready-file", ready}, options...)...)
	server.Stderr = os.Stderr
	if err := server.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Wait() }()
	for {
		if url, _ := os.ReadFile(ready); len(url) > 0 {
			return &understudy{url: strings.TrimSpace(string(url)), server: server, ended: ended}, nil
		}
		select {
		case <-ended:
			return nil, errors.New("understudy serve did not start")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// close ends the server. A process of Windows has no signals.
func (stub *understudy) close() {
	if stub.server.Process.Signal(os.Interrupt) != nil {
		stub.server.Process.Kill()
	}
	<-stub.ended
}

type world struct {
	ID   string `json:"id"`
	Path string `json:"path"`
}

// world gives the base URL of a new world. At the end of the test, unexpected requests and client findings fail it.
func (stub *understudy) world(t *testing.T) string {
	fork := stub.fork(t)
	t.Cleanup(func() {
		if problems := stub.problems(t, fork); problems != "" {
			t.Error(problems)
		}
		stub.control(t, "DELETE", fork.ID, "")
	})
	return stub.url + fork.Path
}

func (stub *understudy) fork(t *testing.T) (fork world) {
	if err := json.Unmarshal([]byte(stub.control(t, "POST", "default/fork", `{"from":"start"}`)), &fork); err != nil {
		t.Fatal(err)
	}
	return fork
}

// problems gives what fails a test, and the timeline; empty if there is nothing.
func (stub *understudy) problems(t *testing.T, fork world) string {
	return stub.control(t, "GET", fmt.Sprintf("%s/end-of-test?failed=%t", fork.ID, t.Failed()), "")
}

func (stub *understudy) control(t *testing.T, method, path, body string) string {
	request, err := http.NewRequest(method, stub.url+"/__understudy/worlds/"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 400 {
		t.Fatalf("%s %s: %s %s", method, path, response.Status, text)
	}
	for _, warning := range response.Header.Values("Understudy-Warning") {
		t.Log(warning)
	}
	return string(text)
}
