package users

import (
	"log"
	"os"
	"slices"
	"strings"
	"testing"
)

var stub *understudy

func TestMain(m *testing.M) {
	var err error
	if stub, err = startUnderstudy("--profile", "canton-3.6"); err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	stub.close()
	os.Exit(code)
}

func TestListsAllUsers(t *testing.T) {
	t.Parallel()
	users, err := List(stub.world(t), "any")
	if err != nil || !slices.Contains(users, User{ID: "alice"}) {
		t.Errorf("no alice in %v, %v", users, err)
	}
}

func TestAnInventedPageTokenFailsATest(t *testing.T) {
	fork := stub.fork(t)
	if _, err := usersPage(stub.url+fork.Path, "any", "2"); err == nil {
		t.Error("the page token 2 is accepted")
	}
	problems := stub.problems(t, fork)
	if !strings.Contains(problems, "page-tokens-from-pages") {
		t.Errorf("no client finding in %q", problems)
	}
	t.Log("\n" + problems)
}
