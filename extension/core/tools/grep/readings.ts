// The ways to read a search that finds nothing, so that a model does not take a wrong syntax for absent code.
import { ToolError } from '../../base/tool-error.ts';
import { type SearchQuery, type SearchResult, WorkspaceError } from '../../ports/workspace.ts';

export interface Finding {
  readonly result: SearchResult;
  /** How the search was read, if not as given. */
  readonly note?: string;
}

interface Reading {
  readonly query: SearchQuery;
  readonly note: string;
}

/** A character that is plain in a basic expression, and an operator in an extended one. */
const OPERATOR = /(?:^|[^\\])(?:\\\\)*[|+?(){]/;

const EXTENDED =
  'nothing matches the pattern as a basic regular expression; these lines match it as an extended one';
const BELOW = 'nothing matches in the directory itself; these matches are below it';

/** The result of the first reading that finds something. Without one, the result of the search as given. */
export async function firstFinding(
  query: SearchQuery,
  isDirectory: boolean,
  search: (query: SearchQuery) => Promise<SearchResult>,
): Promise<Finding> {
  const given = await search(query);
  if (given.matches !== '') return { result: given };
  for (const { query: other, note } of otherReadings(query, isDirectory)) {
    const result = await searchIfValid(other, search);
    if (result && result.matches !== '') return { result, note };
  }
  return { result: given };
}

/** In the order in which they are tried: the nearest to the search as given first. */
function otherReadings(query: SearchQuery, isDirectory: boolean): Reading[] {
  const canExtend = !query.extended && OPERATOR.test(query.pattern);
  const extended = { ...query, extended: true };
  const readings: Reading[] = canExtend ? [{ query: extended, note: EXTENDED }] : [];
  if (!isDirectory || query.recursive) return readings;
  readings.push({ query: { ...query, recursive: true }, note: BELOW });
  if (canExtend)
    readings.push({
      query: { ...extended, recursive: true },
      note: `${EXTENDED}, and are below the directory`,
    });
  return readings;
}

/** Undefined if the pattern is not valid in this reading. */
async function searchIfValid(
  query: SearchQuery,
  search: (query: SearchQuery) => Promise<SearchResult>,
): Promise<SearchResult | undefined> {
  try {
    return await search(query);
  } catch (error) {
    if (query.extended && error instanceof ToolError && WorkspaceError.is(error.cause, 'invalid-pattern'))
      return undefined;
    throw error;
  }
}
