/** A stored picture in the editor: `<img data-file="NAME" alt="…">`. */
import { mergeAttributes, Node } from "@tiptap/core";
import type { CoreClient } from "../../../core-client/contracts.ts";
import { showStored } from "./stored-picture.ts";

export const pictureNode = (core: Pick<CoreClient, "commands">, missing: string) =>
  Node.create({
    name: "picture",
    group: "block",
    atom: true,
    draggable: true,
    addAttributes: () => ({
      file: {
        default: "",
        parseHTML: (element: HTMLElement) => element.dataset["file"] ?? "",
        renderHTML: ({ file }: { file: string }) => ({ "data-file": file }),
      },
      alt: { default: "" },
    }),
    parseHTML: () => [{ tag: "img[data-file]" }],
    renderHTML: ({ HTMLAttributes }) => ["img", mergeAttributes(HTMLAttributes)],
    addNodeView() {
      return ({ node }) => {
        const { file, alt } = node.attrs as { file: string; alt: string };
        const dom = document.createElement("img");
        dom.alt = alt;
        dom.draggable = true;
        return { dom, destroy: showStored(core, dom, file, alt || missing) };
      };
    },
  });
