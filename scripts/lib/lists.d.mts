export function linesOfList(name: "heavy" | "smoke"): string[];
export function smokeTests(): { file: string; title: string }[];
