// A separate bundle, which loads while the rest of the page is drawn.
export { default } from 'markdown-it';
