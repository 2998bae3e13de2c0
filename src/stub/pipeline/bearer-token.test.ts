import { expect, test } from "vitest";
import type { HeaderList } from "../../foundation/http/header.ts";
import { type BearerToken, createTokenReaders } from "./bearer-token.ts";

const readers = createTokenReaders({ trimsSubprotocols: false });
const token = (text: string): BearerToken => ({ type: "token", token: text });
const basic = ["Authorization", "Basic YTpi"] as const;
const alice = ["authorization", "Bearer alice"] as const;
const socket = ["Sec-WebSocket-Protocol", "daml.ws.auth,jwt.token.bob"] as const;

test.each<[HeaderList, BearerToken, BearerToken]>([
  [[], { type: "none" }, { type: "none" }],
  [[alice], token("alice"), token("alice")],
  [[["Authorization", " bearer  a b "]], token("a b"), token("a b")],
  [[["Authorization", "Bearer "]], { type: "malformed" }, { type: "malformed" }],
  [[basic], { type: "other-scheme" }, { type: "other-scheme" }],
  [[basic, basic], { type: "other-scheme" }, { type: "other-scheme" }],
  [[basic, alice], token("alice"), token("alice")],
  [[alice, alice], { type: "malformed" }, { type: "malformed" }],
  [[alice, ["Authorization", "Bearer"]], { type: "malformed" }, { type: "malformed" }],
  [[socket], { type: "none" }, token("bob")],
  [[socket, basic], { type: "other-scheme" }, token("bob")],
  [[socket, alice], token("alice"), token("alice")],
])("reads the token of %j", (headers, inAuthorization, anywhere) => {
  expect(readers.inAuthorization(headers)).toEqual(inAuthorization);
  expect(readers.anywhere(headers)).toEqual(anywhere);
});
