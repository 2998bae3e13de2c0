import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { WorldStatus, WorldStatuses } from "../parts/control-api.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { dateTimeOf } from "../parts/date-time.ts";
import { named, Select } from "../parts/select.tsx";
import { storedTheme, storeTheme, themes } from "./theme.ts";
import "./top-bar.css";

interface TopBarProps {
  readonly views: readonly { readonly title: string; readonly href: string; readonly isCurrent: boolean }[];
  readonly isLive: boolean;
  readonly children: ComponentChildren;
}

/** Name, views, connection and theme; below them what `children` show of the stub. */
export function TopBar({ views, isLive, children }: TopBarProps) {
  return (
    <header>
      <div class="top-bar">
        <h1>Understudy</h1>
        <nav aria-label="Views">
          {views.map(({ title, href, isCurrent }) => (
            <a key={title} href={href} aria-current={isCurrent ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <output class={isLive ? "live" : "gone"}>{isLive ? "live" : "not connected"}</output>
        <ThemeChoice />
      </div>
      {children}
    </header>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme);
  const choose = (value: string) => {
    const chosen = themes.find((each) => each === value) ?? "auto";
    storeTheme(chosen);
    setTheme(chosen);
  };
  return (
    <Select
      class="theme"
      label="Theme"
      value={theme}
      options={themes.map((each) => [each, `Theme: ${each}`])}
      choose={choose}
    />
  );
}

interface StubFactsProps {
  readonly stub: WorldStatuses;
  /** Undefined if it was removed. */
  readonly world: WorldStatus | undefined;
  readonly worldId: string;
  readonly baseUrl: string;
  readonly choose: (worldId: string) => void;
}

/** The shown world, and what a client needs to know of the stub. */
export function StubFacts({ stub, world, worldId, baseUrl, choose }: StubFactsProps) {
  const [message, setMessage] = useState("");
  const ids = stub.worlds.map(({ id }) => id);
  const removed = world === undefined ? [[worldId, `${worldId} (removed)`] as const] : [];
  return (
    <dl class="facts">
      <Fact name="World">
        <Select label="World" value={worldId} options={[...named(ids), ...removed]} choose={choose} />
      </Fact>
      <Fact name="Base URL">
        <code>{baseUrl}</code> <CopyButton label="URL" text={baseUrl} report={setMessage} />
        <span class="unseen" role="status">
          {message}
        </span>
      </Fact>
      <Fact name="Profile">
        {stub.profile.ledger === stub.profile.registry
          ? stub.profile.ledger
          : `${stub.profile.ledger}, ${stub.profile.registry}`}
      </Fact>
      {stub.auth !== null && <Fact name="Authentication">{authTexts[stub.auth]}</Fact>}
      {world?.hasState === true && <ClockFact world={world} />}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class={`fact fact-${name.split(" ")[0]?.toLowerCase()}`}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ClockFact({ world }: { readonly world: WorldStatus }) {
  const nowMs = useVirtualNow(world);
  const mode = world.clockSpeed === 0 ? "paused" : world.clockSpeed === 1 ? "running" : `running ×${world.clockSpeed}`;
  return (
    <Fact name="Clock">
      <span class="numbers">{nowMs === undefined ? "" : dateTimeOf(Math.floor(nowMs / 1000) * 1000)}</span> UTC, {mode}
    </Fact>
  );
}

const authTexts = {
  none: "no token",
  bearer: "any bearer token",
  user: "token is a user id",
  jwt: "signed token (JWT)",
} as const;

/** How often a running clock is drawn. */
const tickMs = 1000;

/** Virtual time in milliseconds. Between events a running clock is computed. Undefined for recorded traffic. */
function useVirtualNow({ now, clockSpeed }: Pick<WorldStatus, "now" | "clockSpeed">): number | undefined {
  const seen = useRef({ now, atMs: performance.now() });
  const [, tick] = useState(0);
  if (seen.current.now !== now) seen.current = { now, atMs: performance.now() };
  useEffect(() => {
    if (clockSpeed === 0) return;
    const ticking = setInterval(() => tick((count) => count + 1), tickMs);
    return () => clearInterval(ticking);
  }, [clockSpeed]);
  if (now === null) return undefined;
  return Date.parse(now) + (performance.now() - seen.current.atMs) * clockSpeed;
}
