// Package users is the application.
package users

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// User is a user of a node.
type User struct {
	ID string `json:"id"`
}

type page struct {
	Users         []User `json:"users"`
	NextPageToken string `json:"nextPageToken"`
}

// List returns all users of a node, page by page.
func List(ledgerURL, token string) ([]User, error) {
	var users []User
	for pageToken := ""; ; {
		next, err := usersPage(ledgerURL, token, pageToken)
		if err != nil {
			return nil, err
		}
		users = append(users, next.Users...)
		if next.NextPageToken == "" {
			return users, nil
		}
		pageToken = next.NextPageToken
	}
}

func usersPage(ledgerURL, token, pageToken string) (found page, err error) {
	query := url.Values{"pageSize": {"2"}, "pageToken": {pageToken}}
	request, err := http.NewRequest("GET", ledgerURL+"/v2/users?"+query.Encode(), nil)
	if err != nil {
		return found, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return found, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		return found, fmt.Errorf("%s: %s", response.Status, text)
	}
	return found, json.NewDecoder(response.Body).Decode(&found)
}
