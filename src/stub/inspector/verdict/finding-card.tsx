import type { ComponentChildren } from "preact";
import { Fragment } from "preact";
import { addressOf } from "../parts/address.ts";
import type { ShownClientFinding } from "../parts/control-api.ts";
import { IdText } from "../parts/id-text.tsx";
import type { ShownFinding } from "./findings.ts";

/** Where a finding is, and what was found there. */
type Place = Pick<ShownClientFinding, "pointer" | "expected" | "actual">;

interface FindingCardProps {
  readonly worldId: string;
  readonly kind: "fail" | "warn" | "known";
  readonly finding: Pick<ShownFinding<unknown>, "numbers" | "count"> & { readonly places: readonly Place[] };
  /** The name of the whole message, for findings without a pointer. */
  readonly whole: string;
  /** Badges, rule and operation. */
  readonly title: ComponentChildren;
  /** Further facts: name and value. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

const placesShown = 5;
const linksShown = 8;

/** A broken rule at one operation: its places, and links to its exchanges. */
export function FindingCard({ worldId, kind, finding, whole, title, facts }: FindingCardProps) {
  const { places, numbers, count } = finding;
  return (
    <li class={`finding is-${kind}`}>
      <div class="finding-head">
        <p>{title}</p>
        <p class="finding-exchanges">
          {exchangesText(count)}
          {numbers.slice(-linksShown).map((number) => (
            <Fragment key={number}>
              {" "}
              <a href={addressOf("traffic", worldId, number)} aria-label={`Exchange ${number}`}>
                #{number}
              </a>
            </Fragment>
          ))}
        </p>
      </div>
      <dl hidden={places.length + facts.length === 0}>
        {places.slice(0, placesShown).map(({ pointer, expected, actual }) => (
          <Fragment key={pointer + actual}>
            <Fact name="At">{pointer === "" ? whole : <code>{pointer}</code>}</Fact>
            <Fact name="Expected">{expected}</Fact>
            <Fact name="Actual">
              <IdText text={actual} />
            </Fact>
          </Fragment>
        ))}
        {places.length > placesShown && <Fact name="At">{places.length - placesShown} more places</Fact>}
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
    </li>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

export function exchangesText(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "exchange" : "exchanges"}`;
}
