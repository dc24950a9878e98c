-- A run whose process ended while it waited, for an answer or for its provider, and that another run goes on with, has not failed.

alter table execution_requests add column gone_on boolean not null default false;
