import { expect, test } from "vitest";
import { metricText } from "./metric-text.ts";

test("renders a metric with its type, its labels in order, and escaped values", () => {
  const labels = { path: 'C:\\a "b"\nc', le: "+Inf" };
  const text = metricText([
    { name: "a_total", type: "counter", help: "Counts a.", samples: [{ value: 3 }] },
    { name: "b", type: "histogram", help: "Counts b.", samples: [{ suffix: "_bucket", labels, value: 0.5 }] },
    { name: "c", type: "gauge", help: "Has no value yet.", samples: [] },
  ]);
  expect(text).toBe(
    [
      "# HELP a_total Counts a.",
      "# TYPE a_total counter",
      "a_total 3",
      "# HELP b Counts b.",
      "# TYPE b histogram",
      'b_bucket{path="C:\\\\a \\"b\\"\\nc",le="+Inf"} 0.5',
      "# HELP c Has no value yet.",
      "# TYPE c gauge",
      "",
    ].join("\n"),
  );
});
