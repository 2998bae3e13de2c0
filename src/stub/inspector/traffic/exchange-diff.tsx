import { useMemo, useState } from "preact/hooks";
import { formatJson, type Json } from "../../../foundation/json/json.ts";
import { Columns } from "../parts/columns.tsx";
import type { InspectedExchange } from "../parts/control-api.ts";
import { LongText } from "../parts/long-text.tsx";
import { type DifferentPart, differencesMax, exchangeDifferences } from "./exchange-differences.ts";
import type { JsonDifference } from "./json-diff.ts";

interface ExchangeDiffProps {
  readonly left: InspectedExchange;
  readonly right: InspectedExchange;
  readonly stop: () => void;
}

/** Shows the differences of two exchanges side by side. */
export function ExchangeDiff({ left, right, stop }: ExchangeDiffProps) {
  const parts = useMemo(() => exchangeDifferences(left, right), [left, right]);
  const same = parts.filter(({ differences }) => differences.length === 0).map(({ title }) => title.toLowerCase());
  return (
    <article class="exchange" aria-label={`Exchanges ${left.line.number} and ${right.line.number} compared`}>
      <div class="exchange-head">
        <h2>
          #{left.line.number} compared with #{right.line.number}
        </h2>
        <button type="button" onClick={stop}>
          Stop comparing
        </button>
      </div>
      {parts
        .filter(({ differences }) => differences.length > 0)
        .map((part) => (
          <Part key={part.title} part={part} left={left} right={right} />
        ))}
      {same.length > 0 && <p class="quiet">Identical: {same.join(", ")}.</p>}
    </article>
  );
}

const shownStep = 100;

function Part({ part, left, right }: { readonly part: DifferentPart } & Pick<ExchangeDiffProps, "left" | "right">) {
  const { title, differences } = part;
  const [shown, setShown] = useState(shownStep);
  const isCut = differences.length === differencesMax;
  const count = `${isCut ? "at least " : ""}${differences.length} ${differences.length === 1 ? "difference" : "differences"}`;
  return (
    <section class="different" aria-label={title}>
      <h3>
        {title} <span class="quiet">{count}</span>
      </h3>
      <table>
        <Columns names={["Difference", `#${left.line.number}`, `#${right.line.number}`]} />
        <tbody>
          {differences.slice(0, shown).map((difference) => (
            <Row key={`${difference.type} ${difference.pointer}`} difference={difference} />
          ))}
        </tbody>
      </table>
      {differences.length > shown && (
        <button type="button" onClick={() => setShown(shown + shownStep)}>
          Show {Math.min(shownStep, differences.length - shown)} more
        </button>
      )}
    </section>
  );
}

const symbols = { added: "+", removed: "−", changed: "≠" } as const;

function Row({ difference }: { readonly difference: JsonDifference }) {
  const { type, pointer, left, right } = difference;
  return (
    <tr class={`different-${type}`}>
      <th scope="row">
        <span aria-hidden="true">{symbols[type]}</span> {type} <code>{pointer === "" ? "whole value" : pointer}</code>
      </th>
      <td>{left !== undefined && <Value value={left} />}</td>
      <td>{right !== undefined && <Value value={right} />}</td>
    </tr>
  );
}

const shownCharacters = 600;

function Value({ value }: { readonly value: Json }) {
  const text = useMemo(() => formatJson(value, 2), [value]);
  return <LongText text={text} max={shownCharacters} around={(shown) => <pre class="text">{shown}</pre>} />;
}
