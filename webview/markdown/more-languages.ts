// A script of its own, which the page loads with the first code in one of these languages.
import cmake from 'highlight.js/lib/languages/cmake';
import css from 'highlight.js/lib/languages/css';
import dart from 'highlight.js/lib/languages/dart';
import elixir from 'highlight.js/lib/languages/elixir';
import graphql from 'highlight.js/lib/languages/graphql';
import groovy from 'highlight.js/lib/languages/groovy';
import haskell from 'highlight.js/lib/languages/haskell';
import kotlin from 'highlight.js/lib/languages/kotlin';
import less from 'highlight.js/lib/languages/less';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import nginx from 'highlight.js/lib/languages/nginx';
import objectivec from 'highlight.js/lib/languages/objectivec';
import perl from 'highlight.js/lib/languages/perl';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import protobuf from 'highlight.js/lib/languages/protobuf';
import r from 'highlight.js/lib/languages/r';
import ruby from 'highlight.js/lib/languages/ruby';
import scala from 'highlight.js/lib/languages/scala';
import scss from 'highlight.js/lib/languages/scss';
import swift from 'highlight.js/lib/languages/swift';

export const moreDefinitions = {
  cmake,
  css,
  dart,
  elixir,
  graphql,
  groovy,
  haskell,
  kotlin,
  less,
  lua,
  makefile,
  nginx,
  objectivec,
  perl,
  php,
  powershell,
  protobuf,
  r,
  ruby,
  scala,
  scss,
  swift,
};
export type MoreLanguage = keyof typeof moreDefinitions;
