import { pad } from './util.js';

const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** The date as 2024-02-29, in UTC. */
export function formatDate(date) {
  return [date.getUTCFullYear(), pad(date.getUTCMonth(), 2), pad(date.getUTCDate(), 2)].join('-');
}

/** The date that is so many days later. */
export function addDays(date, days) {
  return new Date(date.getTime() + days * millisecondsPerDay);
}

/** Whole days from one date to another; negative when the second comes first. */
export function daysBetween(from, to) {
  return Math.round((to.getTime() - from.getTime()) / millisecondsPerDay);
}
