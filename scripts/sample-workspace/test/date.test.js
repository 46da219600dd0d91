import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays, daysBetween, formatDate } from '../src/date.js';

const leapDay = new Date(Date.UTC(2024, 1, 29));

test('formats a date as year, month and day', () => {
  assert.equal(formatDate(leapDay), '2024-02-29');
});

test('formats the last day of a year', () => {
  assert.equal(formatDate(new Date(Date.UTC(2023, 11, 31))), '2023-12-31');
});

test('adds days across the end of a month', () => {
  assert.equal(formatDate(addDays(leapDay, 1)), '2024-03-01');
});

test('counts the days between two dates', () => {
  assert.equal(daysBetween(leapDay, addDays(leapDay, 366)), 366);
});
