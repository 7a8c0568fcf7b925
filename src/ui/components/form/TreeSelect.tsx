/**
 * A choice from a tree. Arco's own cannot be used by the keyboard, so the tree is a list whose entries are indented, and whose search looks
 * at the whole path.
 */
import { Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import type { ReactElement } from "react";
import type { TreeNode } from "./kinds.ts";
import { OneTabStop } from "./OneTabStop.tsx";
import { includes, ordered, placedNodes } from "./tree-nodes.ts";
import "./other-input.css";

interface Common {
  /** Names and marks of the input for screen readers. */
  readonly aria: Readonly<Record<`aria-${string}`, string | boolean | undefined>> & {
    readonly id?: string;
  };
  readonly nodes: readonly TreeNode[];
  readonly placeholder: string;
  readonly allowClear: boolean;
  readonly disabled?: boolean;
  readonly invalid?: boolean;
}

type Chosen =
  | {
      readonly many: true;
      readonly value: readonly string[];
      readonly onChange: (value: readonly string[]) => void;
    }
  | { readonly many: false; readonly value: string; readonly onChange: (value: string) => void };

export function TreeSelect(props: Common & Chosen) {
  const all = placedNodes(props.nodes);
  // the nodes may still be on their way
  const pathOf = (one: string): string =>
    all.find((node) => node.value === one)?.path ?? (all.length === 0 ? "…" : one);
  const common = {
    ...props.aria,
    allowClear: props.allowClear,
    disabled: props.disabled === true,
    placeholder: props.placeholder,
    error: props.invalid === true,
    showSearch: true,
    filterOption: (word: string, option: ReactElement) =>
      includes(pathOf(String((option.props as { readonly value?: unknown }).value)), word),
    renderFormat: (_option: unknown, one: unknown) => pathOf(String(one)),
    options: all.map((node) => ({
      value: node.value,
      label: (
        <>
          <span
            aria-hidden="true"
            className="form-tree-node"
            style={{ paddingInlineStart: `${node.depth * 16}px` }}
          >
            {node.label}
          </span>
          <span className="visually-hidden">{node.path}</span>
        </>
      ),
    })),
  };
  return (
    <OneTabStop>
      {props.many ? (
        <Select
          {...common}
          mode="multiple"
          value={[...props.value]}
          onChange={(next: string[]) => props.onChange(ordered(all, next))}
        />
      ) : (
        <Select
          {...common}
          {...(props.value === "" ? {} : { value: props.value })}
          onChange={(next?: string) => props.onChange(next ?? "")}
        />
      )}
    </OneTabStop>
  );
}
