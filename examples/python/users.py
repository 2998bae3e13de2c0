"""The application."""

import json
import urllib.parse
import urllib.request


def list_users(ledger_url, token):
    """All users of a node, page by page."""
    users, page_token = [], ""
    while True:
        page = users_page(ledger_url, token, page_token)
        users += page["users"]
        page_token = page["nextPageToken"]
        if page_token == "":
            return users


def users_page(ledger_url, token, page_token):
    query = urllib.parse.urlencode({"pageSize": 2, "pageToken": page_token})
    request = urllib.request.Request(f"{ledger_url}/v2/users?{query}", headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)
