/** Flags that commands had, with what replaces each. */
const replaced: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  check: {
    "plain-token": "--target tokens.plain=TOKEN",
    "expired-token": "--target tokens.expired=TOKEN",
    "submitter-token": "--target tokens.submitter=TOKEN",
    hook: "--target hooks.NAME=COMMAND",
    user: "--target user=ID",
    party: "--target party=ID",
    synchronizer: "--target synchronizer=ID",
    package: "--target package=ID",
    "vettable-package": "--target vettablePackage=ID",
    "unvettable-package": "--target unvettablePackage=ID",
    "prepared-transactions": "--target preparedTransactions=JSON",
    sender: "--target sender=PARTY",
    receiver: "--target receiver=PARTY",
    "preapproved-receiver": "--target preapprovedReceiver=PARTY",
    "instrument-admin": "--target instrument.admin=PARTY",
    instrument: "--target instrument.id=ID",
    "reassignable-contract": "--target reassignable.contract=ID",
    "reassignable-to": "--target reassignable.to=SYNCHRONIZER",
    "requests-max": "--limit requestsMax=N",
  },
  generate: {
    users: "--count users=N",
    parties: "--count parties=N",
    packages: "--count packages=N",
    synchronizers: "--count synchronizers=N",
    "identity-providers": "--count identityProviders=N",
  },
  import: { "steps-max": "--limit stepsMax=N" },
  "pact check": { "broker-token": "PACT_BROKER_TOKEN in the environment" },
  record: { "body-max": "--limit bodyBytesMax=N" },
  replay: { against: "understudy import, then understudy run SCENARIO --against URL" },
  serve: {
    openapi:
      "npx @stoplight/prism-cli mock FILE beside the stub, which serves the APIs of Canton only (docs/reference/supported-endpoints.md)",
    lease: "--limit leaseMs=N",
    "keep-journal-size": "--limit storedJournalBytesMax=N",
  },
};

/** Flags that other tools or other commands have, with what does the same here. */
const otherFlags: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  check: {
    html: "--report FILE.html",
    output: "--report FILE",
    out: "--report FILE",
    format: "--report FILE.html, .md, .json or .xml; the name selects the format",
    junit: "--report FILE.xml",
    url: "--ledger URL",
    node: "--ledger URL",
  },
  serve: {
    dar: "understudy serve FILE.dar",
    fixture: "understudy serve FILE.yaml",
    ledger: "understudy serve FIXTURE.yaml for a stub, or understudy record --ledger URL for a node",
    token: "--auth user: the token of a request is then a user id",
  },
  token: { localnet: "--user ledger-api-user --audience https://canton.network.global" },
};

/** The flags that a command had, each with what replaces it. */
export function replacedFlags(command: string): readonly (readonly [flag: string, replacement: string])[] {
  return Object.entries(replaced[command] ?? {});
}

/** What replaces a flag that a command had, or never had; undefined for another name. */
export function replacementOf(command: string, flag: string): string | undefined {
  return new Map([...replacedFlags(command), ...Object.entries(otherFlags[command] ?? {})]).get(flag);
}

/** What does the work of a command that does not exist: one that Understudy had, or one with the name of another tool. */
export const otherCommands: ReadonlyMap<string, string> = new Map([
  ["explore", "check --ledger URL, whose probes find what explore found (docs/check-target.md)"],
  ["localnet", "serve --localnet"],
  ...["start", "mock", "stub", "server", "up"].map((name) => [name, "serve"] as const),
  ...["verify", "conform", "probe"].map((name) => [name, "check"] as const),
  ["lint", "validate FILE"],
  ["proxy", "record --ledger URL --out FILE.har"],
  ["test", "init, which adds a first test to your project, or run SCENARIO"],
]);
