/** Groups of fields that a person adds, removes and moves. */
import { Button } from "@arco-design/web-react";
import { IconDelete, IconDown, IconPlus, IconUp } from "@arco-design/web-react/icon";
import { useEffect, useRef, useState } from "react";
import { texts, useTexts } from "../../i18n/texts.ts";
import { Field, type InputProps } from "./Field.tsx";
import { looseValues, settled, shownFields } from "./fields.ts";
import type { GroupsField } from "./kinds.ts";
import type { Values } from "./values.ts";

const TEXTS = texts({
  add: ["添加一项", "Add one"],
  item: ["{{label}} {{index}}", "{{label}} {{index}}"],
  up: ["上移 {{label}} {{index}}", "Move {{label}} {{index}} up"],
  down: ["下移 {{label}} {{index}}", "Move {{label}} {{index}} down"],
  remove: ["删除 {{label}} {{index}}", "Remove {{label}} {{index}}"],
});

/** What takes the focus in a group: an input, and no button of its head. */
const CONTROLS = "input:enabled, textarea:enabled, [role=combobox], [role=switch]";

export default function Groups(
  props: Omit<InputProps<GroupsField>, "value"> & { readonly value: readonly Values[] },
) {
  const { field, value, aria, errors, path, onChange } = props;
  const { label, fields, least = 0, most } = field;
  const text = useTexts(TEXTS);
  const box = useRef<HTMLDivElement>(null);
  /** Keeps the inputs of a group with it when it moves. */
  const [keys, setKeys] = useState<readonly number[]>([]);
  const known = value.map((_, at) => keys[at] ?? -1 - at);
  /** Where the focus goes after a change of the list: the controls of a group, or a button of it. */
  const goal = useRef<string | null>(null);
  useEffect(() => {
    if (goal.current === null) return;
    box.current?.querySelector<HTMLElement>(goal.current)?.focus();
    goal.current = null;
  });

  const change = (order: readonly number[], next: readonly Values[], focus: string): void => {
    setKeys(order);
    onChange(next);
    goal.current = focus;
  };
  const at = (index: number, what: string): string => `[data-group="${index}"] :is(${what})`;
  const add = (): void =>
    change(
      [...known, Math.max(0, ...known) + 1],
      [...value, looseValues(fields, field.fresh ?? {})],
      at(value.length, CONTROLS),
    );
  const remove = (index: number): void => {
    const left = <T,>(all: readonly T[]) => all.filter((_, other) => other !== index);
    const focus =
      value.length === 1 ? ".form-groups-add" : at(Math.min(index, value.length - 2), CONTROLS);
    change(left(known), left(value), focus);
  };
  const move = (index: number, step: -1 | 1): void => {
    const to = index + step;
    const moved = <T,>(all: readonly T[]): readonly T[] => {
      const next = [...all];
      const [one] = next.splice(index, 1);
      if (one !== undefined) next.splice(to, 0, one);
      return next;
    };
    const last = to === (step < 0 ? 0 : value.length - 1);
    const button = step < 0 === !last ? "up" : "down";
    change(moved(known), moved(value), at(to, `[data-move="${button}"]`));
  };
  const set = (index: number, key: string, next: Values[string]): void =>
    onChange(
      value.map((group, other) =>
        other === index ? settled(fields, { ...group, [key]: next }) : group,
      ),
    );

  return (
    <div ref={box} className="form-groups" role="group" aria-label={label}>
      {value.map((group, index) => {
        const name = { label, index: index + 1 };
        return (
          <div
            key={known[index]}
            className="form-group"
            data-group={index}
            role="group"
            aria-label={text("item", name)}
          >
            <div className="form-group-head">
              <span>{text("item", name)}</span>
              <Button
                type="text"
                size="mini"
                data-move="up"
                icon={<IconUp />}
                disabled={index === 0}
                aria-label={text("up", name)}
                onClick={() => move(index, -1)}
              />
              <Button
                type="text"
                size="mini"
                data-move="down"
                icon={<IconDown />}
                disabled={index === value.length - 1}
                aria-label={text("down", name)}
                onClick={() => move(index, 1)}
              />
              <Button
                type="text"
                size="mini"
                icon={<IconDelete />}
                disabled={value.length <= least}
                aria-label={text("remove", name)}
                onClick={() => remove(index)}
              />
            </div>
            <div className="form-group-fields">
              {shownFields(fields, group).map((one) => (
                <Field
                  key={one.key}
                  id={`${aria.id}-${known[index]}-${one.key}`}
                  field={one}
                  values={group}
                  errors={errors}
                  prefix={`${path}.${index}.`}
                  onChange={(next) => set(index, one.key, next)}
                />
              ))}
            </div>
          </div>
        );
      })}
      {value.length < most && (
        <Button className="form-groups-add" icon={<IconPlus />} onClick={add}>
          {text("add")}
        </Button>
      )}
    </div>
  );
}
