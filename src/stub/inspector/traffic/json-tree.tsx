import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { isJsonObject, type Json } from "../../../foundation/json/json.ts";
import { withShortIds } from "../parts/id-parts.ts";
import { LongText } from "../parts/long-text.tsx";
import { BrokenRuleNote } from "./broken-rule-note.tsx";
import type { JsonMarks } from "./json-marks.ts";
import { pointerTo } from "./json-pointer.ts";
import { type Range, rangesOf } from "./json-ranges.ts";
import "./json-tree.css";

interface JsonTreeProps {
  readonly label: string;
  readonly value: Json;
  readonly marks: JsonMarks;
  /** Whether the tree is initially unfolded. */
  readonly isUnfolded: boolean;
}

/** A JSON tree that draws members when unfolded. Members with a broken rule are initially unfolded. */
export function JsonTree({ label, value, marks, isUnfolded }: JsonTreeProps) {
  return (
    <ul class="json" aria-label={label}>
      {/* The key changes with the marks, so members with new marks are unfolded. */}
      <Node
        key={[...marks.at.keys()].join()}
        name={undefined}
        value={value}
        pointer=""
        options={{ marks, depth: isUnfolded ? 100 : 2 }}
      />
    </ul>
  );
}

interface Options {
  readonly marks: JsonMarks;
  /** Number of unfolded levels. */
  readonly depth: number;
}

interface NodeProps {
  readonly name: string | number | undefined;
  readonly value: Json;
  readonly pointer: string;
  readonly options: Options;
}

function Node({ name, value, pointer, options }: NodeProps) {
  const broken = options.marks.at.get(pointer) ?? [];
  const isNested = typeof value === "object" && value !== null && sizeOf(value) > 0;
  return (
    <li class={broken.length === 0 ? undefined : "json-marked"} data-pointer={pointer}>
      {isNested ? (
        <Nested name={name} value={value} pointer={pointer} options={options} />
      ) : (
        <span class="json-line">
          <Name name={name} />
          <Scalar value={value} />
        </span>
      )}
      {broken.map((rule) => (
        <BrokenRuleNote key={`${rule.rule} ${rule.pointer}`} broken={rule} />
      ))}
    </li>
  );
}

function Name({ name }: { readonly name: string | number | undefined }) {
  if (name === undefined) return null;
  return (
    <>
      <span class={typeof name === "number" ? "json-index" : "json-name"} title={String(name)}>
        {withShortIds(String(name))}
      </span>
      :{" "}
    </>
  );
}

type Structure = readonly Json[] | { readonly [name: string]: Json };

function sizeOf(value: Structure): number {
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function Nested({ name, value, pointer, options }: NodeProps & { readonly value: Structure }) {
  const { marks, depth } = options;
  const [isOpen, setOpen] = useState(depth > 0 || marks.above.has(pointer));
  const size = useMemo(() => sizeOf(value), [value]);
  const isList = Array.isArray(value);
  const counted = isList
    ? `${size} ${size === 1 ? "element" : "elements"}`
    : `${size} ${size === 1 ? "member" : "members"}`;
  return (
    <>
      <button type="button" class="json-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Name name={name} />
        <span class="json-size">
          {isList ? "[" : "{"}
          {isOpen ? "" : ` … ${isList ? "]" : "}"}`} {counted}
        </span>
      </button>
      {isOpen && <Members value={value} pointer={pointer} options={{ marks, depth: depth - 1 }} />}
    </>
  );
}

interface MembersProps {
  readonly value: Structure;
  readonly pointer: string;
  readonly options: Options;
}

function Members({ value, pointer, options }: MembersProps) {
  const names = useMemo(() => (Array.isArray(value) ? [...value.keys()] : Object.keys(value)), [value]);
  return <Part names={names} range={{ from: 0, to: names.length }} within={{ value, pointer, options }} />;
}

interface PartProps {
  readonly names: readonly (string | number)[];
  readonly range: Range;
  readonly within: MembersProps;
}

function Part({ names, range, within }: PartProps) {
  const parts = rangesOf(range);
  if (parts.length > 0)
    return (
      <ul>
        {parts.map((part) => (
          <FoldedPart key={part.from} names={names} range={part} within={within} />
        ))}
      </ul>
    );
  return (
    <ul>
      {names.slice(range.from, range.to).map((name) => (
        <Node
          key={name}
          name={name}
          value={memberOf(within.value, name)}
          pointer={pointerTo(within.pointer, name)}
          options={within.options}
        />
      ))}
    </ul>
  );
}

function memberOf(value: Structure, name: string | number): Json {
  const member = isJsonObject(value) ? value[name] : value[Number(name)];
  return member ?? null;
}

/** A part of a long list. */
function FoldedPart({ names, range, within }: PartProps) {
  const [isOpen, setOpen] = useState(range.from === 0 || hasMark(names, range, within));
  return (
    <li>
      <button type="button" class="json-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="json-size">
          {range.from} to {range.to - 1}
        </span>
      </button>
      {isOpen && <Part names={names} range={range} within={within} />}
    </li>
  );
}

function hasMark(names: PartProps["names"], { from, to }: Range, { pointer, options }: MembersProps): boolean {
  const { at, above } = options.marks;
  if (at.size === 0) return false;
  return names.slice(from, to).some((name) => at.has(pointerTo(pointer, name)) || above.has(pointerTo(pointer, name)));
}

const shownCharacters = 400;

function Scalar({ value }: { readonly value: Json }) {
  if (Array.isArray(value)) return <span class="json-size">[]</span>;
  if (isJsonObject(value)) return <span class="json-size">{"{}"}</span>;
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  const kind = `json-${value === null ? "null" : typeof value}`;
  const around = (shown: ComponentChildren) => <span class={kind}>{shown}</span>;
  return <LongText text={text} max={shownCharacters} buttonClass="json-more" around={around} />;
}
