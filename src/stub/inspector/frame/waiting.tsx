import { useState } from "preact/hooks";
import { controlApi, type ShownLedgerAccess, type WorldStatus } from "../parts/control-api.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { useLatest } from "../parts/use-latest.ts";
import "./waiting.css";

/** The traffic before the first exchange: where to send requests, and one to paste into a shell. */
export function Waiting({ world, baseUrl }: { readonly world: WorldStatus; readonly baseUrl: string }) {
  return (
    <section class="waiting" aria-labelledby="waiting">
      <h2 id="waiting">Waiting for requests</h2>
      <p>
        {world.hasState
          ? "Point your client to the base URL. Each request appears here at once, with the client rules that it breaks."
          : "Point your client to the recorder. Each exchange with the node appears here at once, with the rules that it breaks."}
      </p>
      <Copied title="Base URL" label="base URL" text={baseUrl} />
      {world.hasState && <FirstRequest worldId={world.id} baseUrl={baseUrl} />}
    </section>
  );
}

function FirstRequest({ worldId, baseUrl }: { readonly worldId: string; readonly baseUrl: string }) {
  const { value, problem } = useLatest(() => controlApi.access(worldId), worldId);
  if (problem !== undefined) return <p class="problem">{problem}</p>;
  if (value === undefined) return null;
  if (value.header === null)
    return (
      <p class="quiet">The stub verifies tokens with a key of yours, so an example would need a token of yours.</p>
    );
  return <Copied title="First request" label="curl" text={firstRequest(baseUrl, value)} />;
}

/** Shell lines that list users. A certificate of a stub is usually self-signed. */
function firstRequest(baseUrl: string, { before, header }: ShownLedgerAccess): string {
  const flags = baseUrl.startsWith("https:") ? "-sk" : "-s";
  return [...before, `curl ${flags} ${header ?? ""}'${baseUrl}/v2/users?pageSize=2'`].join("\n");
}

function Copied({ title, label, text }: { readonly title: string; readonly label: string; readonly text: string }) {
  const [message, setMessage] = useState("");
  return (
    <div class="copied">
      <h3>{title}</h3>
      <pre>{text}</pre>
      <p>
        <CopyButton label={label} text={text} report={setMessage} /> <span role="status">{message}</span>
      </p>
    </div>
  );
}
