export interface SelectProps {
  /** Omitted if a label element is around it. */
  readonly label?: string;
  readonly class?: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly choose: (value: string) => void;
}

/** Characters of a title that fit into the narrowest form. */
const titleMax = 26;

/** A list to choose from. Long titles lose their middle, since their ends differ. */
export function Select({ label, value, options, choose, ...rest }: SelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      title={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      {...rest}
    >
      {options.map(([option, title]) => (
        <option key={option} value={option}>
          {title.length > titleMax ? `${title.slice(0, titleMax / 2)}…${title.slice(-titleMax / 2 + 1)}` : title}
        </option>
      ))}
    </select>
  );
}

/** Options whose values are their titles. */
export function named(names: readonly string[]): readonly (readonly [value: string, title: string])[] {
  return names.map((name) => [name, name]);
}
