import { expect, test } from "vitest";
import { proxyOf } from "./proxy-of.ts";

const proxied = (url: string, variables: Record<string, string>) => proxyOf(new URL(url), variables)?.href;

test.each<[url: string, variables: Record<string, string>, proxy: string | undefined]>([
  ["http://node/", {}, undefined],
  ["http://node/", { HTTP_PROXY: "http://p:3128" }, "http://p:3128/"],
  ["http://node/", { HTTPS_PROXY: "http://p:3128" }, undefined],
  ["https://node/", { HTTPS_PROXY: "p:3128" }, "http://p:3128/"],
  ["https://node/", { HTTPS_PROXY: "http://upper", https_proxy: "http://lower" }, "http://lower/"],
  ["https://node/", { ALL_PROXY: "https://p" }, "https://p/"],
  ["https://node/", { HTTPS_PROXY: "" }, undefined],
])("the proxy of %s with %j is %s", (url, variables, proxy) => {
  expect(proxied(url, variables)).toBe(proxy);
});

test.each<[noProxy: string, url: string, isExempt: boolean]>([
  ["*", "http://node", true],
  ["node", "http://node", true],
  ["NODE.example.com", "http://node.example.com", true],
  ["example.com", "http://node.example.com", true],
  [".example.com", "http://node.example.com", true],
  ["*.example.com", "http://node.example.com", true],
  ["ample.com", "http://node.example.com", false],
  ["a, b node", "http://node", true],
  ["node:8080", "http://node", false],
  ["node:80", "http://node", true],
  ["node:8080", "http://node:8080", true],
  ["127.0.0.1", "http://127.0.0.1:7575", true],
  ["10.0.0.0/8", "http://10.1.2.3", true],
  ["10.0.0.0/8", "http://11.1.2.3", false],
  ["10.0.0.0/99", "http://10.1.2.3", false],
  ["::1", "http://[::1]:7575", true],
  ["[::1]:7575", "http://[::1]:7575", true],
  ["fd00::/8", "http://[fd00::1]", true],
])("NO_PROXY=%s and %s", (noProxy, url, isExempt) => {
  const variables = { HTTP_PROXY: "http://p", NO_PROXY: noProxy };
  expect(proxied(url, variables)).toBe(isExempt ? undefined : "http://p/");
});

test("names a proxy that is not supported", () => {
  expect(() => proxied("https://node", { HTTPS_PROXY: "socks5://p:1080" })).toThrow(
    "HTTPS_PROXY names a proxy with socks5://, and only http:// and https:// are supported",
  );
  expect(() => proxied("http://node", { HTTP_PROXY: "http://:x" })).toThrow("HTTP_PROXY is not the URL of a proxy");
});
