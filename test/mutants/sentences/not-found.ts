import type { Mutant } from "../_mutant.ts";

/** Faults that no check of a live server finds, with the reason. A test fails if it finds one after all. */
export const notFound: Readonly<Record<Mutant["profile"], Readonly<Record<string, string>>>> = {
  spec: {},
  "canton-3.5": {
    "idps-none":
      "DIV-044: a release lists no configuration if it has none. Users of a removed one stay, so they prove nothing.",
    "execute-needs-deduplication": "DIV-024: the codec of the release refuses a request without the member.",
    "status-of-invalid-id":
      "The spec says string, so every text is an id, and a package that does not exist has no status.",
  },
};
