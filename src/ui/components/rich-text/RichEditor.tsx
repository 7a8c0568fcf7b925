/** An editor of formatted text with pictures (docs/session.md#bulletins). Loaded with the form that has one. */
import { Button, Input } from "@arco-design/web-react";
import {
  IconBold,
  IconClose,
  IconH1,
  IconH2,
  IconImage,
  IconItalic,
  IconLink,
  IconOrderedList,
  IconQuote,
  IconRedo,
  IconStrikethrough,
  IconUnderline,
  IconUndo,
  IconUnorderedList,
} from "@arco-design/web-react/icon";
import type { ChainedCommands } from "@tiptap/core";
import { EditorContent, useEditor, useEditorState } from "@tiptap/react";
import { StarterKit } from "@tiptap/starter-kit";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { BULLETIN_LINKS } from "../../../shared/domain/bulletins.ts";
import { useTexts } from "../../i18n/texts.ts";
import { PICTURE_RULES } from "../upload/rules.ts";
import { useCore } from "../../state/services.ts";
import { pictureNode } from "./picture-node.ts";
import { RICH_TEXTS } from "./texts.ts";
import { usePictures } from "./usePictures.ts";
import "./rich-text.css";

export interface RichEditorProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (html: string) => void;
  readonly invalid: boolean;
  readonly describedBy: string | undefined;
}

interface Tool {
  readonly key: keyof typeof RICH_TEXTS & string;
  readonly icon: ReactNode;
  /** Name and attributes of what is active at the cursor; null: a command without a state. */
  readonly active: readonly [name: string, attributes?: Record<string, unknown>] | null;
  readonly run: (chain: ChainedCommands) => ChainedCommands;
}

const TOOLS: readonly Tool[] = [
  { key: "bold", icon: <IconBold />, active: ["bold"], run: (c) => c.toggleBold() },
  { key: "italic", icon: <IconItalic />, active: ["italic"], run: (c) => c.toggleItalic() },
  {
    key: "underline",
    icon: <IconUnderline />,
    active: ["underline"],
    run: (c) => c.toggleUnderline(),
  },
  { key: "strike", icon: <IconStrikethrough />, active: ["strike"], run: (c) => c.toggleStrike() },
  {
    key: "heading",
    icon: <IconH1 />,
    active: ["heading", { level: 2 }],
    run: (c) => c.toggleHeading({ level: 2 }),
  },
  {
    key: "subheading",
    icon: <IconH2 />,
    active: ["heading", { level: 3 }],
    run: (c) => c.toggleHeading({ level: 3 }),
  },
  {
    key: "bullets",
    icon: <IconUnorderedList />,
    active: ["bulletList"],
    run: (c) => c.toggleBulletList(),
  },
  {
    key: "numbers",
    icon: <IconOrderedList />,
    active: ["orderedList"],
    run: (c) => c.toggleOrderedList(),
  },
  { key: "quote", icon: <IconQuote />, active: ["blockquote"], run: (c) => c.toggleBlockquote() },
  { key: "undo", icon: <IconUndo />, active: null, run: (c) => c.undo() },
  { key: "redo", icon: <IconRedo />, active: null, run: (c) => c.redo() },
];

const ADDRESS = new RegExp(`^(?:${BULLETIN_LINKS.join("|")}):\\S+$`, "i");
/** Arrow keys move inside the toolbar, which is one stop of the Tab key. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

export default function RichEditor(props: RichEditorProps) {
  const core = useCore();
  const text = useTexts(RICH_TEXTS);
  const chooser = useRef<HTMLInputElement>(null);
  const [linking, setLinking] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const onChange = useRef(props.onChange);
  /** The last value that came in or went out. */
  const held = useRef(props.value);
  const insertFiles = useRef<(files: readonly File[]) => void>(() => undefined);
  // The editor keeps the handlers that it was made with.
  const pasted = (data: DataTransfer | null): boolean => {
    const files = [...(data?.files ?? [])];
    insertFiles.current(files);
    return files.length > 0;
  };
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        heading: { levels: [2, 3] },
        link: { openOnClick: false, protocols: [...BULLETIN_LINKS], defaultProtocol: "https" },
      }),
      pictureNode(core, text("missing")),
    ],
    content: props.value,
    // The page's policy allows no style elements.
    injectCSS: false,
    editorProps: {
      attributes: {
        id: props.id,
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": props.label,
      },
      handlePaste: (_view, event) => pasted(event.clipboardData),
      handleDrop: (_view, event) => pasted(event.dataTransfer),
    },
    onUpdate: ({ editor: now }) => {
      held.current = now.isEmpty ? "" : now.getHTML();
      onChange.current(held.current);
    },
  });
  useEffect(() => {
    if (props.value === held.current) return;
    held.current = props.value;
    editor.commands.setContent(props.value, { emitUpdate: false });
  }, [editor, props.value]);
  const { uploads, upload, cancel } = usePictures((file, alt) =>
    editor.chain().focus().insertContent({ type: "picture", attrs: { file, alt } }).run(),
  );
  useEffect(() => {
    onChange.current = props.onChange;
    insertFiles.current = upload;
  });
  const active = useEditorState({
    editor,
    selector: ({ editor: now }) => [
      ...TOOLS.map((tool) => tool.active !== null && now.isActive(...tool.active)),
      now.isActive("link"),
    ],
  });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const next = (at + step + buttons.length) % buttons.length;
    setAt(next);
    buttons[next]?.focus();
  };
  const tool = (index: number) => ({
    tabIndex: index === at ? 0 : -1,
    onFocus: () => setAt(index),
  });
  const choosePictures = (): void => chooser.current?.click();
  const link = (): void =>
    setLinking(String((editor.getAttributes("link") as { href?: string }).href ?? "https://"));
  const applyLink = (): void => {
    const address = linking?.trim() ?? "";
    if (!ADDRESS.test(address)) return;
    const chain = editor.chain().focus().extendMarkRange("link");
    if (editor.state.selection.empty && !editor.isActive("link")) {
      chain
        .insertContent({
          type: "text",
          text: address,
          marks: [{ type: "link", attrs: { href: address } }],
        })
        .run();
    } else chain.setLink({ href: address }).run();
    setLinking(null);
  };

  return (
    <div
      className="rich-editor"
      data-invalid={props.invalid}
      {...(props.describedBy === undefined ? {} : { "aria-describedby": props.describedBy })}
    >
      <div className="rich-tools" role="toolbar" aria-label={text("tools")} onKeyDown={onKeyDown}>
        {TOOLS.map(({ key, icon, active: state, run }, index) => (
          <ToolButton
            key={key}
            {...tool(index)}
            label={text(key as "bold")}
            icon={icon}
            pressed={state === null ? null : active[index] === true}
            onClick={() => run(editor.chain().focus()).run()}
          />
        ))}
        <ToolButton
          {...tool(TOOLS.length)}
          label={text("link")}
          icon={<IconLink />}
          pressed={active[TOOLS.length] === true}
          onClick={link}
        />
        <ToolButton
          {...tool(TOOLS.length + 1)}
          label={text("picture")}
          icon={<IconImage />}
          pressed={null}
          onClick={choosePictures}
        />
        <input
          ref={chooser}
          type="file"
          hidden
          multiple
          accept={PICTURE_RULES.types.map((type) => `.${type}`).join()}
          onChange={(event) => {
            upload([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
      </div>
      {linking !== null && (
        <div className="rich-link">
          <Input
            autoFocus
            size="small"
            value={linking}
            onChange={setLinking}
            aria-label={text("address")}
            placeholder={text("addressHint")}
            {...(ADDRESS.test(linking.trim()) ? {} : { status: "error" as const })}
            onKeyDown={(event) => {
              if (event.key === "Enter") {
                event.preventDefault();
                applyLink();
              } else if (event.key === "Escape") {
                // the dialog around the editor stays open
                event.stopPropagation();
                setLinking(null);
                editor.commands.focus();
              }
            }}
          />
          <Button
            size="small"
            type="primary"
            disabled={!ADDRESS.test(linking.trim())}
            onClick={applyLink}
          >
            {text("apply")}
          </Button>
          {active[TOOLS.length] === true && (
            <Button
              size="small"
              onClick={() => {
                editor.chain().focus().extendMarkRange("link").unsetLink().run();
                setLinking(null);
              }}
            >
              {text("remove")}
            </Button>
          )}
        </div>
      )}
      <EditorContent editor={editor} className="rich-text" translate="no" />
      {uploads.map(({ key, name, percent }) => (
        <div key={key} className="rich-upload" role="status">
          <span className="ellipsis tnum">{text("uploading", { name, percent })}</span>
          <Button
            type="text"
            size="mini"
            icon={<IconClose />}
            aria-label={text("cancel", { name })}
            onClick={() => cancel(key)}
          />
        </div>
      ))}
    </div>
  );
}

function ToolButton(props: {
  readonly label: string;
  readonly icon: ReactNode;
  /** Null: the button has no state. */
  readonly pressed: boolean | null;
  readonly tabIndex: number;
  readonly onFocus: () => void;
  readonly onClick: () => void;
}) {
  const { label, icon, pressed, ...rest } = props;
  return (
    <button
      type="button"
      className="rich-tool"
      title={label}
      aria-label={label}
      {...(pressed === null ? {} : { "aria-pressed": pressed })}
      {...rest}
    >
      {icon}
    </button>
  );
}
