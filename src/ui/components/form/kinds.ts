/** The kinds of fields that a page can declare, and the type of the value that each holds (docs/session.md#forms). */
import type { ReactNode } from "react";
import type { UploadRules } from "../upload/rules.ts";
import type { DayRange, Values } from "./values.ts";

export interface FormOption {
  readonly value: string;
  readonly label: string;
}

/** An option with those below it. */
export interface TreeNode extends FormOption {
  readonly children: readonly TreeNode[];
}

/** What a control of a page's own gets. */
export interface ControlProps<V = string> {
  readonly id: string;
  readonly label: string;
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly invalid: boolean;
  readonly disabled: boolean;
  /** Id of the note below the control. */
  readonly describedBy: string | undefined;
  /** All values of the form. */
  readonly values: Values;
}

interface Common<V> {
  readonly key: string;
  readonly label: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly hint?: string;
  /** Whether the field is there beside these values. One that is not there is neither checked nor sent. */
  readonly shownWhen?: (values: Values) => boolean;
  /** @returns what is wrong with a value that is not empty; null when nothing is */
  readonly check?: (value: V, values: Values) => string | null;
  /** @returns what a person should look at in a value that is not empty; it can be saved all the same */
  readonly warn?: (value: V, values: Values) => string | null;
  /** The value as a person reads it, where the field's own way says too little. */
  readonly say?: (value: V) => string;
}

/** A field that holds a text. */
export interface FormField extends Common<string> {
  /** Left out: one line of text. */
  readonly input?: "text" | "area" | "date" | "password" | "select";
  readonly options?: readonly FormOption[];
  /** Options that depend on the other values. A value that is no option any more is dropped. */
  readonly optionsFrom?: (values: Values) => readonly FormOption[];
  /** Replaces the input, and takes the whole width. */
  readonly control?: (props: ControlProps) => ReactNode;
  /** Of a select: the options can be searched by what they are called. */
  readonly search?: boolean;
  /** Most characters. */
  readonly max?: number;
}

export interface NumberField extends Common<number> {
  readonly input: "number";
  readonly min?: number;
  readonly max?: number;
  /** Left out: any number. 1 takes whole numbers. */
  readonly step?: number;
}

/** On or off. */
export interface SwitchField extends Common<boolean> {
  readonly input: "switch";
}

/** Any number of options, in the order of the options. */
export interface MultiField extends Common<readonly string[]> {
  readonly input: "multi";
  readonly options?: readonly FormOption[];
  readonly optionsFrom?: (values: Values) => readonly FormOption[];
  /** `tags` is for many options: a list that opens, with a search. Left out: a checkbox for each. */
  readonly look?: "tags";
}

/** One node of a tree, by its value. */
export interface TreeField extends Common<string> {
  readonly input: "tree";
  readonly nodes: readonly TreeNode[];
}

/** Any number of nodes of a tree. */
export interface TreesField extends Common<readonly string[]> {
  readonly input: "trees";
  readonly nodes: readonly TreeNode[];
}

export interface RangeField extends Common<DayRange> {
  readonly input: "range";
}

/** Uploaded files, by the names under which they are stored. */
export interface FileField extends Common<readonly string[]> {
  readonly input: "files";
  /** Accepted types, number and size of the files. */
  readonly rules: UploadRules;
  /** Stores a file and answers its name. Left out: a file of the company. */
  readonly upload?: (file: File) => Promise<string>;
}

/** Formatted text with pictures, as HTML. */
export interface RichField extends Common<string> {
  readonly input: "rich";
}

export type LeafField =
  | FormField
  | NumberField
  | SwitchField
  | MultiField
  | TreeField
  | TreesField
  | RangeField
  | FileField
  | RichField;

/** A list of groups of fields, to which a person adds. */
export interface GroupsField extends Common<readonly Values[]> {
  readonly input: "groups";
  readonly fields: readonly LeafField[];
  /** What a new group begins with. */
  readonly fresh?: Readonly<Record<string, unknown>>;
  /** Fewest and most groups. */
  readonly least?: number;
  readonly most: number;
}

export type AnyField = LeafField | GroupsField;

/** The type of a field's value. */
export type ValueOf<K> = K extends { readonly input: "switch" }
  ? boolean
  : K extends { readonly input: "number" }
    ? number | null
    : K extends { readonly input: "multi" | "trees" | "files" }
      ? readonly string[]
      : K extends { readonly input: "range" }
        ? DayRange
        : K extends { readonly input: "groups"; readonly fields: infer G }
          ? G extends readonly LeafField[]
            ? readonly ValuesOf<G>[]
            : never
          : string;

type Keyed<F extends readonly AnyField[]> = string extends F[number]["key"] ? false : true;
/** Values of fields whose keys the compiler does not know: texts, if each field holds one. */
type Loose<F extends readonly AnyField[]> = F extends readonly FormField[]
  ? Readonly<Record<string, string>>
  : Values;

/** The values of declared fields, by key. A field that is not always there may lack its value. */
export type ValuesOf<F extends readonly AnyField[]> =
  Keyed<F> extends true
    ? {
        readonly [K in F[number] as K["key"]]: K extends { readonly shownWhen: unknown }
          ? ValueOf<K> | undefined
          : ValueOf<K>;
      }
    : Loose<F>;

/** What a form begins with: a value for each field. */
export type StartOf<F extends readonly AnyField[]> =
  Keyed<F> extends true ? { readonly [K in F[number] as K["key"]]: ValueOf<K> } : Loose<F>;

/** Some of the values of declared fields. */
export type ChangedOf<F extends readonly AnyField[]> =
  Keyed<F> extends true ? Partial<ValuesOf<F>> : Loose<F>;

/** Values of a form whose fields hold texts; an empty text is no value. */
export type FormValues = Readonly<Record<string, string>>;

/** Declares fields outside of a form, so that the types of their values are known. */
export const formFields = <const F extends readonly AnyField[]>(fields: F): F => fields;

const TEXT_KINDS: readonly string[] = ["text", "area", "date", "password", "select"];
/** Whether the field holds a text that is typed or chosen, and may have a control of its own. */
export const isTextField = (field: AnyField): field is FormField =>
  field.input === undefined || TEXT_KINDS.includes(field.input);
