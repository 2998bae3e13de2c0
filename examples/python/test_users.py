import unittest
import urllib.error

from understudy import Understudy
from users import list_users, users_page


class UsersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.understudy = Understudy("--profile", "canton-3.6")
        cls.addClassCleanup(cls.understudy.close)

    def test_lists_all_users(self):
        with self.understudy.world() as ledger_url:
            self.assertIn("alice", [user["id"] for user in list_users(ledger_url, "any")])

    def test_an_invented_page_token_fails_a_test(self):
        with self.assertRaises(AssertionError) as failure:
            with self.understudy.world() as ledger_url:
                with self.assertRaises(urllib.error.HTTPError):
                    users_page(ledger_url, "any", page_token="2")
        self.assertIn("page-tokens-from-pages", str(failure.exception))
        print(failure.exception, flush=True)
