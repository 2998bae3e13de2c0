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
  serve: { lease: "--limit leaseMs=N", "keep-journal-size": "--limit storedJournalBytesMax=N" },
};

/** The flags that a command had, each with what replaces it. */
export function replacedFlags(command: string): readonly (readonly [flag: string, replacement: string])[] {
  return Object.entries(replaced[command] ?? {});
}

/** What replaces a flag that a command had; undefined for another name. */
export function replacementOf(command: string, flag: string): string | undefined {
  return new Map(replacedFlags(command)).get(flag);
}
