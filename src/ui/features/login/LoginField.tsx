/** A field of the login form with Arco's looks and none of its code, because the first visit waits for this form's code. */
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { PlainIcon, type PlainIconName } from "../../components/PlainIcon.tsx";

export function LoginField(props: {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly icon: PlainIconName;
  readonly type?: "password" | "text";
  readonly autoComplete: string;
  readonly autoFocus?: boolean;
  readonly maxLength: number;
  readonly value: string;
  readonly invalid: boolean;
  /** Id of the element that says what is wrong. */
  readonly describedBy: string;
  readonly suffix?: ReactNode;
  readonly onChange: (value: string) => void;
  readonly onKeyUp?: (event: KeyboardEvent) => void;
}) {
  const { id, name, label, icon, invalid, describedBy, suffix, onChange, ...attributes } = props;
  const input = useRef<HTMLInputElement>(null);
  const [focused, setFocused] = useState(false);
  const wrapper = [
    "arco-input-inner-wrapper arco-input-inner-wrapper-has-prefix arco-input-inner-wrapper-large",
    invalid ? " arco-input-inner-wrapper-error" : "",
    focused ? " arco-input-inner-wrapper-focus" : "",
  ].join("");
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <div className="arco-input-group-wrapper arco-input-group-wrapper-large">
        <span className="arco-input-group">
          <span
            className={wrapper}
            // a press beside the text leaves the focus in the field
            onMouseDown={(event) => {
              if (event.target !== input.current) event.preventDefault();
            }}
            onClick={() => input.current?.focus()}
          >
            <span className="arco-input-group-prefix">
              <PlainIcon name={icon} />
            </span>
            <input
              {...attributes}
              ref={input}
              id={id}
              name={name}
              className={`arco-input arco-input-size-large${invalid ? " arco-input-error" : ""}`}
              aria-invalid={invalid}
              aria-describedby={describedBy}
              onFocus={() => setFocused(true)}
              onBlur={() => setFocused(false)}
              onChange={(event) => onChange(event.target.value)}
            />
            {suffix !== undefined && <span className="arco-input-group-suffix">{suffix}</span>}
          </span>
        </span>
      </div>
    </>
  );
}
