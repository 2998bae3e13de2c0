import { useState } from "preact/hooks";
import type { TrafficLine } from "../parts/control-api.ts";
import { areResponsesChecked, type Sides } from "../parts/problems.ts";
import { named, Select, type SelectProps } from "../parts/select.tsx";
import { SidesSwitch } from "../parts/sides-switch.tsx";
import { type Facets, isFiltering, noFilter, type TrafficFilter } from "./traffic-filter.ts";

interface TrafficFiltersProps {
  readonly filter: TrafficFilter;
  readonly facets: Facets;
  readonly change: (filter: TrafficFilter) => void;
  readonly lines: readonly TrafficLine[];
  readonly shown: number;
  /** Number of exchanges with a problem. */
  readonly problems: number;
  readonly sides: Sides;
  readonly showBoth: (areBothShown: boolean) => void;
}

const ruleOutcomes = named(["FAIL", "WARN", "KNOWN", "PASS"]);
const otherOutcomes = [
  ["PLANNED", "injected fault"],
  ["UNSUPPORTED", "no operation"],
] as const;
const statusClasses = [
  ["2xx", "2xx"],
  ["4xx", "4xx"],
  ["5xx", "5xx"],
  ["broken", "incomplete"],
] as const;

export function TrafficFilters(props: TrafficFiltersProps) {
  const { filter, facets, change, lines, shown, problems, sides, showBoth } = props;
  const set = (name: keyof TrafficFilter) => (value: string) => change({ ...filter, [name]: value });
  const [isOpen, setOpen] = useState(false);
  const chosen = [filter.operation, filter.status, filter.outcome, filter.rule].filter((value) => value !== "").length;
  return (
    <search class="filters">
      <button
        type="button"
        class={problems === 0 ? "only-problems" : "only-problems has-problems"}
        aria-pressed={filter.problems === "only"}
        onClick={() => change({ ...filter, problems: filter.problems === "" ? "only" : "" })}
      >
        Problems {problems.toLocaleString("en")}
      </button>
      <input
        type="search"
        aria-label="Method or target contains"
        placeholder="Filter by method or target"
        value={filter.text}
        onInput={({ currentTarget }) => set("text")(currentTarget.value)}
      />
      <button type="button" class="more-filters" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {chosen === 0 ? "Filters" : `Filters (${chosen})`}
      </button>
      <div class={isOpen ? "choices is-open" : "choices"}>
        <Choice
          label="Operation"
          value={filter.operation}
          options={[...named(facets.operations), ["unsupported", "unsupported"]]}
          choose={set("operation")}
        />
        <Choice
          label="Status"
          value={filter.status}
          options={[...statusClasses, ...named(facets.statuses)]}
          choose={set("status")}
        />
        <Choice
          label="Outcome"
          value={filter.outcome}
          options={[...(areResponsesChecked(sides) ? ruleOutcomes : []), ...otherOutcomes]}
          choose={set("outcome")}
        />
        <Choice label="Broken rule" value={filter.rule} options={named(facets.rules)} choose={set("rule")} />
      </div>
      <SidesSwitch sides={sides} lines={lines} showBoth={showBoth} />
      <span class="counted">
        {isFiltering(filter) ? `${shown.toLocaleString("en")} of ` : ""}
        {lines.length.toLocaleString("en")} {lines.length === 1 ? "exchange" : "exchanges"}
      </span>
      {isFiltering(filter) && (
        <button type="button" onClick={() => change(noFilter)}>
          Clear filters
        </button>
      )}
    </search>
  );
}

function Choice({ label, options, ...choice }: SelectProps & { readonly label: string }) {
  const { value } = choice;
  const isKnown = value === "" || options.some(([option]) => option === value);
  const all = [["", `${label}: any`] as const, ...options, ...named(isKnown ? [] : [value])];
  return <Select label={label} class={value === "" ? "" : "chosen"} options={all} {...choice} />;
}
