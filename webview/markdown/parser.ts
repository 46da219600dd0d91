// Bundled by itself: it is loaded while the rest of the page is drawn.
export { default } from 'markdown-it';
