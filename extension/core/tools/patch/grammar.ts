/**
 * The language of patches for models that can be held to a grammar (Lark, https://lark-parser.readthedocs.io); the parser
 * takes a little more.
 */
export const PATCH_GRAMMAR = `start: begin file+ end
begin: "*** Begin Patch" LF
end: "*** End Patch" LF?

file: added | deleted | updated
added: "*** Add File: " path LF ("+" text LF)+
deleted: "*** Delete File: " path LF
updated: "*** Update File: " path LF moved? change?
moved: "*** Move to: " path LF

change: (place | line)+ last?
place: ("@@" | "@@ " text) LF
line: ("+" | "-" | " ") text LF
last: "*** End of File" LF

path: /(.+)/
text: /(.*)/

%import common.LF
`;
