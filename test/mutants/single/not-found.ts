/** Faults that a check does not find, each with the reason. A test fails if it finds one after all. */
export const notFound: Readonly<Record<"spec" | "canton-3.5", Readonly<Record<string, string>>>> = {
  spec: {
    "execute-version-unknown": "the spec does not show the values of the hashing scheme version",
    "execute-forbids-minLedgerTime": "the spec does not show the content of the member",
    "vetting-dry-run-typed": "the spec does not show the name of the member",
    "vetting-flags-typed": "the spec does not show the name of the member",
  },
  "canton-3.5": {
    "execute-requires-deduplicationPeriod": "DIV-024: the codec of the release refuses a request without the member",
  },
};

/** Faults of which a warning is enough, because only releases show what is right. */
export const tolerable: ReadonlySet<string> = new Set([
  "allocate-unknown-user",
  "patch-path-twice",
  "version-frozen",
  "version-frozen-in-patch",
  "version-never-checked",
  "status-always-registered",
  "status-always-zero",
  "status-swapped",
  "status-of-vettable-zero",
]);
