/** Header fields in the order in which they were sent; names keep their case. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The fields in a flat list of names and values, as Node's parser gives them. */
export function headerPairs(raw: readonly string[]): HeaderList {
  const headers: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) headers.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  return headers;
}

/** The values of every field of that name, whatever its case. */
export function headerValues(headers: HeaderList, name: string): readonly string[] {
  const wanted = name.toLowerCase();
  let values: string[] | undefined;
  for (const [key, value] of headers)
    if (key.length === wanted.length && key.toLowerCase() === wanted)
      if (values === undefined) values = [value];
      else values.push(value);
  return values ?? noValues;
}

const noValues: readonly string[] = [];

/** The value of the first field of that name, whatever its case. */
export function headerValue(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase();
  for (const [key, value] of headers) if (key.length === wanted.length && key.toLowerCase() === wanted) return value;
  return undefined;
}

/** The media type of a message in lower case, without parameters; undefined where none is named. */
export function mediaType(headers: HeaderList): string | undefined {
  return mediaTypeIn(headerValue(headers, "content-type") ?? "");
}

/** The media type that a value of Content-Type names. */
export function mediaTypeIn(contentType: string): string | undefined {
  const end = contentType.indexOf(";");
  const type = (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
  return type === "" ? undefined : type;
}

/** The charset that a value of Content-Type names, in lower case; undefined where none is named. */
export function charsetIn(contentType: string): string | undefined {
  return charset.exec(contentType)?.[1]?.toLowerCase();
}

const charset = /;\s*charset\s*=\s*"?([^\s";,]+)/i;
