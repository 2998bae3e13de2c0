import { checkExchange, checkTrace } from "../../src/checker/engine/checker.ts";
import type { ExchangeVerdict } from "../../src/checker/engine/exchange-verdict.ts";
import { Verdict } from "../../src/checker/engine/verdict.ts";
import { type Baseline, baselineOf, compareBaseline } from "../../src/checker/reports/baseline.ts";
import type { ProbingReport, Report } from "../../src/checker/reports/report.ts";
import { Body } from "../../src/foundation/http/body.ts";
import type { Exchange } from "../../src/foundation/http/exchange.ts";
import type { HeaderList } from "../../src/foundation/http/header.ts";
import { textResponse } from "../../src/foundation/http/response.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";

const spec = loadSpec({ ledger: "canton-3.5", registry: "splice-0.7" });

/** Text of a target that may harm a reader of the report: tags, control characters, a change of direction, Markdown. */
export const hostile: string =
  '<script>document.title="taken"</script>\u001b[31m\u202etxet\u0007 |`| ](http://evil.example) @someone ]]> & "quoted" \'';

export const secrets: readonly string[] = [
  "opaque-token-4711",
  "session-cookie-4711",
  "response-cookie-4711",
  "api-key-4711",
  "signed-4711",
  "pem4711",
  "user4711",
  "queried-4711",
  "eyJhbGciOiJub25lIn0.eyJzdWIiOiI0NzExIn0.c2lnbmVkNDcxMQ",
];

const requestHeaders: HeaderList = [
  ["Host", "node.example"],
  ["Authorization", "Bearer opaque-token-4711"],
  ["Cookie", "session=session-cookie-4711"],
  ["X-Api-Key", "api-key-4711"],
];

interface Requested {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: HeaderList;
  readonly body?: string;
}

/** An exchange as in a recording. */
export function exchangeOf(status: number, body: string, requested: Requested = {}): Exchange {
  const { method = "GET", target = "/v2/users", headers = requestHeaders, body: sent = "" } = requested;
  const response = textResponse(status, "application/json", body);
  return {
    startedAt: "2026-01-01T00:00:00Z",
    durationMs: 1,
    request: { method, target, headers, body: new Body(sent) },
    response: { ...response, headers: [...response.headers, ["Set-Cookie", "id=response-cookie-4711"] as const] },
  };
}

const ledgerError =
  '{"code":"INVALID_ARGUMENT","cause":"no","correlationId":null,"traceId":"ab","context":{},"resources":[],"errorCategory":8,"grpcCodeValue":3,"retryInfo":null,"definiteAnswer":null}';
const lookup = { method: "POST", target: "/registry/transfer-instruction/v2/transfer-factory" };
const withSecrets = {
  users: [
    {
      id: 4712,
      primaryParty: secrets.at(-1),
      metadata: { annotations: { note: "-----BEGIN PRIVATE KEY-----\npem4711\n-----END PRIVATE KEY-----" } },
      signature: "signed-4711",
    },
  ],
};
const rights = {
  method: "POST",
  target: "http://user4711:user4711@node.example/v2/users/alice/rights?access_token=queried-4711",
  body: `{"userId":"alice","rights":"${secrets.at(-1)}","signature":"signed-4711"}\n::error::text\n ##[group]text`,
};

/** Exchanges of every kind: passed, known divergence, failed, incomplete, unsupported, with secrets and hostile text. */
const exchanges: readonly Exchange[] = [
  exchangeOf(200, '{"users":[]}'),
  exchangeOf(400, ledgerError, { target: "/v2/users?pageSize=5000" }),
  ...Array.from({ length: 3 }, () => exchangeOf(200, JSON.stringify(withSecrets))),
  exchangeOf(200, JSON.stringify({ users: [{ id: { text: hostile } }], [hostile]: 1 })),
  exchangeOf(200, JSON.stringify({ identityProviderConfigs: hostile }), { target: "/v2/idps" }),
  exchangeOf(500, `<html>${hostile}`, lookup),
  exchangeOf(200, '{"newlyGrantedRights":[]}', rights),
  { ...exchangeOf(200, ""), response: { type: "broken", kind: "reset" } },
  exchangeOf(200, "{}", { target: "/v2/version" }),
];

/** The verdict with warnings instead of failures. */
function asWarnings(verdict: ExchangeVerdict): ExchangeVerdict {
  if (verdict.type === "unsupported") return verdict;
  const results = verdict.results.map((result) => ({
    ...result,
    outcome: result.outcome === "FAIL" ? ("WARN" as const) : result.outcome,
    violations: result.violations.map((violation) => ({ ...violation, outcome: "WARN" as const })),
  }));
  return { ...verdict, results };
}

const probing: ProbingReport = {
  seed: "1",
  probes: [
    {
      id: "no-token",
      summary: "Sends a request without a token.",
      safety: "safe",
      outcome: "run",
      reason: undefined,
      reached: ["getV2Users 401"],
    },
    {
      id: "plain-user",
      summary: "Sends a request as a user without rights.",
      safety: "safe",
      outcome: "skipped",
      reason: "no token of a plain user is given",
      reached: [],
    },
    {
      id: "expired-token",
      summary: "Sends a request with an expired token.",
      safety: "safe",
      outcome: "skipped",
      reason: "no expired token is given",
      reached: [],
    },
    {
      id: "created-user",
      summary: "Creates a user.",
      safety: "writes",
      outcome: "run",
      reason: undefined,
      reached: [],
    },
  ],
  created: [{ kind: "user", id: `understudy-probe-1${hostile}` }],
  requests: 17,
  values: [{ name: "sender", value: "understudy-probe-1-sender::1220ab", origin: "generated" }],
};

/** A report of the checker with all parts that a report can have. */
export function sampleReport(checked: readonly Exchange[] = exchanges): Report {
  const steps = checked.map((exchange) => ({ exchange }));
  const verdict = checkTrace(steps, { spec, isExclusive: false });
  verdict.add(asWarnings(checkExchange(spec, "release", exchangeOf(200, '{"users":{}}'))));
  verdict.addInconclusive("body-schema", "no earlier exchange shows the value");
  verdict.addTraceCoverage({ evicted: { "media-type": 2 }, resets: 1, untimed: 3, untracked: 4 });
  const summary = verdict.summary();
  return {
    summary,
    isStrict: false,
    sources: ["traffic of monday.har"],
    profileReason: "canton-3.5 (set by --profile)",
    command: `understudy check 'traffic of monday.har' --profile canton-3.5 --user '${hostile}'`,
    probing,
    drift: {
      differences: [
        {
          operation: "GET /v2/users",
          part: "response",
          kind: "member",
          member: `users/*/${hostile}`,
          value: "",
          change: "added",
          isRequired: false,
        },
      ],
      dropped: 1,
    },
    baseline: compareBaseline("accepted.yaml", someAccepted(baselineOf(summary, { accepted: [] })), summary),
  };
}

/** A report without violations. */
export function fineReport(): Report {
  const report = sampleReport([exchangeOf(200, '{"users":[]}')]);
  const verdict = new Verdict(spec);
  verdict.add(checkExchange(spec, "release", exchangeOf(200, '{"users":[]}')));
  return { ...report, summary: verdict.summary(), probing: undefined, baseline: undefined };
}

/** An incomplete report without violations. */
export function incompleteReport(): Report {
  return {
    ...fineReport(),
    incomplete: ["x.har: it is truncated after 2 entries, at line 3, byte 4. Record it again."],
  };
}

/** A report on a target that responds with 403 to an invalid token. */
export function refusingReport(): Report {
  const refusal = ledgerError
    .replace("INVALID_ARGUMENT", "PERMISSION_DENIED")
    .replace(":8,", ":7,")
    .replace(":3,", ":7,");
  const refused = ["/v2/users", "/v2/idps", "/v2/users"].map((target) => exchangeOf(403, refusal, { target }));
  const verdict = checkTrace(
    refused.map((exchange) => ({ exchange, context: { token: "invalid" } })),
    { spec },
  );
  return { ...fineReport(), summary: verdict.summary() };
}

/** A baseline with the first failure, a fixed one, and one that was not checked. */
function someAccepted({ accepted }: Baseline): Baseline {
  const [first] = accepted.filter(({ outcome }) => outcome === "FAIL");
  const finding = "an earlier finding";
  return {
    accepted: [
      ...(first === undefined ? [] : [first]),
      { fingerprint: "media-type getV2Users 200 /gone", outcome: "FAIL", finding },
      { fingerprint: "complete-response getV2Idps-Idp-id 0 -", outcome: "FAIL", finding },
    ],
  };
}

/** A report with dropped violations. */
export function overflowingReport(): Report {
  const requested = { method: "POST", target: "/v2/users/x/rights", body: '{"userId":"x"}' };
  const many = Array.from({ length: 1002 }, (_, index) =>
    exchangeOf(404, `{"code":"USER_NOT_FOUND","cause":"","context":{"k${index}":5},"errorCategory":11}`, requested),
  );
  return { ...sampleReport(many), probing: undefined, baseline: undefined };
}
