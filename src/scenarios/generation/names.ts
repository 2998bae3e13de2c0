import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { randomOf } from "./random.ts";

/** Returns the nth name; all names are different. */
type Names = (index: number) => string;

const given =
  "ada amara anna arjun beatriz carlos chiara chloe david diego elena emil emma fatima felix freya giulia hana hugo ines isla ivan jakob jonas julia karim kenji lars laura lea leo lina luca lucia maja malik marco maria marta mateo mina nadia nils noah nora olga omar oscar paula pedro priya rafael rosa samuel sara sofia stefan tara tomas uma vera victor yara yusuf zoe".split(
    " ",
  );
const family =
  "abbas alvarez andersen bauer becker berg bianchi blanc bruno campos castro chen conti costa dahl diaz dubois evans ferrari fischer fontana fuchs garcia gomez greco gupta haas hansen hoffmann ito jansen jensen kaya keller khan kim klein kovacs kumar lang larsen lemaire lopez lund maier marino martin meyer moreau moretti mueller nguyen novak okafor olsen ortega park patel pereira petrov ricci rivera romano rossi roux ruiz santos sato schmid silva simon singh suzuki tanaka torres vargas vogel wagner weber wolf yilmaz zhang".split(
    " ",
  );
const places =
  "alder amber birch blue cedar clear coast copper crest delta east elm fern fjord glen gold granite green grove harbour hill iron lake lark maple marsh meadow north oak ocean pine quarry river sand silver south spring stone sun vale west willow wind".split(
    " ",
  );
const trades =
  "bank brewery bakery capital carriers chemicals credit dairy docks electric energy exchange farms foods foundry freight fund gas glass grain holdings insurance lending logistics marine markets metals mills mining mutual optics paper partners pension power rail retail savings securities shipping steel textiles timber trading treasury trust wines works".split(
    " ",
  );
const tasks =
  "accounting audit billing clearing collateral compliance custody funding invoicing issuance ledger margin matching netting onboarding payments payroll pricing reconciliation reporting risk settlement tax trading treasury valuation wallet".split(
    " ",
  );
const services = "agent api backend batch bot bridge console daemon gateway indexer job monitor service worker".split(
  " ",
);

/** Of people: `maria.rossi`. */
export function personNames(seed: number): Names {
  return combined(seed, "person", ".", [given, family]);
}

/** Of applications: `settlement-worker`. */
export function applicationNames(seed: number): Names {
  return combined(seed, "application", "-", [tasks, services]);
}

/** Of organisations: `blue-harbour-bank`. */
export function organisationNames(seed: number): Names {
  return combined(seed, "organisation", "-", [places, places, trades]);
}

/** Of packages: `custody-gateway`. */
export function packageNames(seed: number): Names {
  return combined(seed, "package", "-", [tasks, services]);
}

/** Every combination of the words once, in an order from the seed, then with numbers. */
function combined(seed: number, kind: string, between: string, lists: readonly (readonly string[])[]): Names {
  const count = lists.reduce((product, list) => product * list.length, 1);
  const random = randomOf(seed, `names of ${kind}`);
  const offset = random.below(count);
  let step = 1 + random.below(count - 1);
  while (greatestCommonDivisor(step, count) !== 1) step += 1;
  return (index) => {
    const round = Math.floor(index / count);
    let rest = ((index % count) * step + offset) % count;
    const words = lists.map((list) => {
      const word = list[rest % list.length] ?? "";
      rest = Math.floor(rest / list.length);
      return word;
    });
    return words.join(between) + (round === 0 ? "" : `-${round + 1}`);
  };
}

function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
}

/** A digest of the seed and the purpose, in hex digits. */
export function digestOf(seed: number, purpose: string): string {
  return bytesToHex(sha256(utf8ToBytes(`${seed}/${purpose}`)));
}

/** An identifier with a fingerprint, such as a party id. */
export function namespaced(seed: number, identifier: string): string {
  return `${identifier}::1220${digestOf(seed, identifier)}`;
}
