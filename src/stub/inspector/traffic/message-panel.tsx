import { useMemo, useState } from "preact/hooks";
import { type Json, jsonOf } from "../../../foundation/json/json.ts";
import type { Broken, InspectedMessage } from "../parts/control-api.ts";
import { withShortIds } from "../parts/id-parts.ts";
import { IdText } from "../parts/id-text.tsx";
import { jsonMarks } from "./json-marks.ts";
import { JsonTree } from "./json-tree.tsx";

interface MessagePanelProps {
  readonly title: string;
  /** Request line or status. */
  readonly line: string;
  /** Null if the response is incomplete. */
  readonly message: InspectedMessage | null;
  /** The broken rules that may point into the body. */
  readonly broken: readonly Broken[];
}

/** A request or a response with its body and its headers. */
export function MessagePanel({ title, line, message, broken }: MessagePanelProps) {
  return (
    <section class="message" aria-label={title}>
      <h3>
        {title} <code title={line}>{withShortIds(line)}</code>
      </h3>
      {message === null ? (
        <p class="quiet">No complete response.</p>
      ) : (
        <>
          <Body title={title} body={message.body} broken={broken} />
          <Headers headers={message.headers} />
        </>
      )}
    </section>
  );
}

function Headers({ headers }: { readonly headers: InspectedMessage["headers"] }) {
  const count = `${headers.length} ${headers.length === 1 ? "header" : "headers"}`;
  return (
    <details class="headers">
      <summary>{count}</summary>
      <dl>
        {headers.map(([name, value], index) => (
          <div key={`${index} ${name}`}>
            <dt>{name}</dt>
            <dd>
              <IdText text={value ?? ""} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Bodies up to this length are initially unfolded. */
const unfoldedCharacters = 4_000;

function Body({
  title,
  body,
  broken,
}: {
  readonly title: string;
  readonly body: string;
  readonly broken: readonly Broken[];
}) {
  const [isText, setText] = useState(false);
  const value = useMemo(() => jsonOf(body), [body]);
  const marks = useMemo(() => jsonMarks(value, broken), [value, broken]);
  if (body === "") return <p class="quiet">No body.</p>;
  const label = `Body of the ${title.toLowerCase()}`;
  if (value === undefined) return <Text text={body} />;
  return (
    <>
      <label class="as-text">
        <input type="checkbox" checked={isText} onChange={({ currentTarget }) => setText(currentTarget.checked)} /> Raw
        ({sizeOf(body)})
      </label>
      {isText ? (
        <Text text={body} />
      ) : (
        <JsonTree label={label} value={value} marks={marks} isUnfolded={body.length <= unfoldedCharacters} />
      )}
    </>
  );
}

const textStep = 20_000;

/** Raw text, shown in parts. */
function Text({ text }: { readonly text: string }) {
  const [shown, setShown] = useState(textStep);
  const left = text.length - shown;
  return (
    <>
      <pre class="text">{text.slice(0, shown)}</pre>
      {left > 0 && (
        <button type="button" onClick={() => setShown(shown + textStep * 5)}>
          Show more ({left.toLocaleString("en")} characters left)
        </button>
      )}
    </>
  );
}

/** The broken rules without a position in the response body. */
export function brokenElsewhere(response: InspectedMessage | null, broken: readonly Broken[]): readonly Broken[] {
  const value: Json | undefined = response === null ? undefined : jsonOf(response.body);
  return jsonMarks(value, broken).elsewhere;
}

/** The size of a text in UTF-8, such as `355 B` or `1.2 kB`. */
function sizeOf(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} kB`;
}
