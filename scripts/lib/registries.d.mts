/** Makes each registry of the project that is not as its folder is. @param root folder of the project */
export function makeRegistries(root: string): void;
