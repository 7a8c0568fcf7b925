/** The field of a day, without its calendar. What is typed stands in the field alone until it is a day, and goes when the field is left. */
import { Input } from "@arco-design/web-react";
import { type AriaAttributes, type KeyboardEvent, type ReactNode, useState } from "react";
import { isDay } from "../../shared/domain/validate.ts";
import { texts, useTexts } from "../i18n/texts.ts";

const TEXTS = texts({ choose: ["请选择日期", "Choose a day"] });

export interface DayFieldProps {
  /** `YYYY-MM-DD`; "" is no day. */
  readonly value: string;
  readonly onChange: (day: string) => void;
  /** Id, name and marks of the field for screen readers. */
  readonly input: AriaAttributes & { readonly id?: string; readonly "aria-label": string };
  readonly wrong?: boolean;
  readonly disabled?: boolean;
  readonly prefix?: string;
  readonly className?: string;
}

export interface Typed {
  readonly text: string;
  /** The text is not a complete day yet, so the field keeps it and does not report it. */
  readonly unfinished: boolean;
  /** @returns whether the text is a day, or none on purpose */
  type(text: string): boolean;
  /** Shows the day again. */
  forget(): void;
}

export function useTyped({ value, onChange }: DayFieldProps): Typed {
  const [typed, setTyped] = useState<string | null>(null);
  return {
    text: typed ?? (isDay(value) ? value : ""),
    unfinished: typed !== null,
    type(text) {
      const day = text.trim();
      const whole = day === "" || isDay(day);
      setTyped(whole ? null : text);
      if (whole) onChange(day);
      return whole;
    },
    forget: () => setTyped(null),
  };
}

export function DayInput(
  props: DayFieldProps & {
    readonly typed: Typed;
    readonly onType: (text: string) => void;
    readonly onFocus?: () => void;
    readonly onBlur?: () => void;
    readonly onKeyDown?: (event: KeyboardEvent) => void;
    readonly suffix?: ReactNode;
  },
) {
  const { typed, input, wrong = false, disabled = false, prefix, suffix } = props;
  const text = useTexts(TEXTS);
  return (
    <Input
      {...input}
      autoComplete="off"
      placeholder={text("choose")}
      value={typed.text}
      disabled={disabled}
      {...(prefix === undefined ? {} : { prefix })}
      {...(suffix === undefined ? {} : { suffix })}
      {...(wrong ? { status: "error" as const } : {})}
      onChange={props.onType}
      onFocus={() => props.onFocus?.()}
      onBlur={() => {
        // who looks something up in another window goes on with what was typed
        if (document.hasFocus()) typed.forget();
        props.onBlur?.();
      }}
      onKeyDown={(event) => {
        // a form is not sent without what its field shows
        if (event.key === "Enter" && typed.unfinished) event.preventDefault();
        props.onKeyDown?.(event);
      }}
    />
  );
}
