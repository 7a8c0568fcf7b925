/** Settings of fields while a person edits them: what the person changed, on top of what is saved. So changes of others flow in. Pure. */
import type { FieldSetting } from "../../../shared/domain/fields-in-use.ts";
import { moved, orderOf } from "../../components/list/columnLayout.ts";

export interface Draft {
  /** Null: the order that is saved. */
  readonly order: readonly string[] | null;
  readonly flags: Readonly<Record<string, Partial<Pick<FieldSetting, "used" | "required">>>>;
}
export const UNCHANGED: Draft = { order: null, flags: {} };

/** The settings as the person sees them. */
export function drafted(
  saved: readonly FieldSetting[],
  { order, flags }: Draft,
): readonly FieldSetting[] {
  const keys = saved.map(({ key }) => key);
  const byKey = new Map(saved.map((one) => [one.key, { ...one, ...flags[one.key] }]));
  return (order === null ? keys : orderOf(keys, order)).flatMap((key) => byKey.get(key) ?? []);
}

export const withFlag = (
  draft: Draft,
  key: string,
  flag: Partial<Pick<FieldSetting, "used" | "required">>,
): Draft => ({ ...draft, flags: { ...draft.flags, [key]: { ...draft.flags[key], ...flag } } });

/** @param shown the settings as the person sees them */
export const withMove = (
  draft: Draft,
  shown: readonly FieldSetting[],
  key: string,
  place: number,
): Draft => ({
  ...draft,
  order: moved(
    shown.map((one) => one.key),
    key,
    place,
  ),
});

export const isChanged = (
  saved: readonly FieldSetting[],
  shown: readonly FieldSetting[],
): boolean =>
  saved.some(({ key, used, required }, place) => {
    const now = shown[place];
    return now?.key !== key || now.used !== used || now.required !== required;
  });
