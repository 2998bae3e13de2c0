export interface FramedResponse {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** The responses in what a server sent, or what of it is no HTTP; the last one may be cut where the client went away. */
export function responsesIn(bytes: string, mayBeCut: boolean): readonly FramedResponse[] | string {
  const responses: FramedResponse[] = [];
  for (let rest = bytes; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return mayBeCut ? responses : `a head that does not end: ${JSON.stringify(rest.slice(0, 200))}`;
    const [line = "", ...fields] = rest.slice(0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) [ -~]+$/.exec(line)?.[1]);
    const isField = (field: string) => /^[A-Za-z-]+: [\t -~\x80-\xff]*$/.test(field);
    if (Number.isNaN(status) || !fields.every(isField))
      return `no head of a response: ${JSON.stringify(rest.slice(0, 200))}`;
    rest = rest.slice(end + 4);
    if (status === 100) continue;
    const fieldOf = (name: string) =>
      fields.find((field) => field.toLowerCase().startsWith(`${name}: `))?.slice(name.length + 2);
    const length = Number(fieldOf("content-length") ?? Number.NaN);
    if (Number.isNaN(length)) {
      // A stream of events goes on until a side closes the connection.
      if (fieldOf("content-type") !== "text/event-stream")
        return `a response without a length: ${JSON.stringify(line)}`;
      return [...responses, { status, contentType: fieldOf("content-type"), body: rest }];
    }
    if (rest.length < length && !mayBeCut) return `a response that is cut: ${JSON.stringify(line)}`;
    responses.push({ status, contentType: fieldOf("content-type"), body: rest.slice(0, length) });
    rest = rest.slice(length);
  }
  return responses;
}
