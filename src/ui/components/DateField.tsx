/**
 * A day, in the console's language and colours. The browser's own input speaks the language of the browser and shows its order of day and
 * month. The calendar's code is loaded with the first field.
 */
import { Input } from "@arco-design/web-react";
import { lazy, Suspense, useRef } from "react";
import { retrying } from "../state/retrying.ts";
import type { DayPickerProps } from "./DayPicker.tsx";

const DayPicker = lazy(() => retrying(() => import("./DayPicker.tsx")));

export function DateField(props: DayPickerProps) {
  const { value, prefix, className } = props;
  const focused = useRef(false);
  return (
    <Suspense
      fallback={
        <Input
          readOnly
          onFocus={() => (focused.current = true)}
          onBlur={() => (focused.current = false)}
          value={value}
          {...(props.input.id === undefined ? {} : { id: props.input.id })}
          aria-label={props.input["aria-label"]}
          {...(prefix === undefined ? {} : { prefix })}
          {...(className === undefined ? {} : { className })}
        />
      }
    >
      <DayPicker {...props} takesFocus={() => focused.current} />
    </Suspense>
  );
}
