// Written by `npm run generate` from the OpenAPI document. Change that, not this.

export interface paths {
  '/v1/metrics/{key}/event': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Record an event
     * @description Adds a value to a metric of a user, and answers with everything that it caused: the total, completed achievements, the streak, points and ranks. The user is created or updated by it. Once an event is recorded it is never answered with an error: while an area is halted, `pending` says what is missing.
     *
     *     Scope: `ingest`.
     */
    post: operations['recordMetricEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/metrics/{key}/event': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Record an event (alternative path)
     * @description Adds a value to a metric of a user, and answers with everything that it caused: the total, completed achievements, the streak, points and ranks. The user is created or updated by it. Once an event is recorded it is never answered with an error: while an area is halted, `pending` says what is missing.
     *
     *     Scope: `ingest`.
     */
    post: operations['recordApiMetricEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create or update a user
     * @description Fields that are absent stay unchanged. Whatever is recorded first for a user creates them.
     *
     *     Scope: `ingest`.
     */
    post: operations['identifyUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a user
     * @description Scope: `read`.
     */
    get: operations['getUser'];
    /**
     * Create or update a user by id
     * @description Creates the user if unknown. Fields that are absent stay unchanged.
     *
     *     Scope: `ingest`.
     */
    put: operations['putUser'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Update a known user
     * @description Fields that are absent stay unchanged.
     *
     *     Scope: `ingest`.
     */
    patch: operations['updateUser'];
    trace?: never;
  };
  '/v1/users/{id}/preferences': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a user’s notification preferences
     * @description Scope: `read`.
     */
    get: operations['getUserPreferences'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change a user’s notification preferences
     * @description Types that are absent stay unchanged. A type with an empty list makes no more reminders.
     *
     *     Scope: `ingest`.
     */
    patch: operations['updateUserPreferences'];
    trace?: never;
  };
  '/v1/users/{id}/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a user’s totals of all metrics
     * @description Scope: `read`.
     */
    get: operations['listUserMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/metrics/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a user’s total of a metric
     * @description Scope: `read`.
     */
    get: operations['getUserMetric'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/metrics/{key}/event-summary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a user’s metric over time
     * @description One entry for every period, including empty and future ones. An event belongs to its date in the user’s time zone at the time.
     *
     *     Scope: `read`.
     */
    get: operations['summarizeUserMetric'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/achievements': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List all achievements
     * @description Scope: `read`.
     */
    get: operations['listAchievements'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/achievements': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List a user’s achievements
     * @description Scope: `read`.
     */
    get: operations['listUserAchievements'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/achievements/{key}/complete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Complete an achievement
     * @description Only for achievements with the trigger `api`; others are refused with 422. A completion counts for composite achievements, points and leaderboards as an event does, and the answer shows everything that it caused.
     *
     *     Scope: `ingest`.
     */
    post: operations['completeAchievement'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/streak': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a user’s streak
     * @description Scope: `read`.
     */
    get: operations['getUserStreak'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/streaks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Compare the streaks of several users
     * @description Scope: `read`.
     */
    get: operations['listStreaks'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/streaks/survival': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count the streaks that reached each length
     * @description Counts streaks since the configured frequency last changed. An ended streak counts as ended once an event of the user or a sweep has recorded it.
     *
     *     Scope: `read`.
     */
    get: operations['getStreakSurvival'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/points/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a user’s points
     * @description Scope: `read`.
     */
    get: operations['getUserPoints'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/points/{key}/event-summary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a user’s points over time
     * @description One entry for every period, including empty and future ones. An award belongs to its date in the user’s time zone at the time.
     *
     *     Scope: `read`.
     */
    get: operations['summarizeUserPoints'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/points': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the points systems
     * @description Scope: `read`.
     */
    get: operations['listPointsSystems'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/points/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a points system
     * @description Scope: `read`.
     */
    get: operations['getPointsSystem'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/points/{key}/levels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the levels of a points system
     * @description Scope: `read`.
     */
    get: operations['listPointsLevels'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/points/{key}/level-summary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count the users at each level
     * @description Refused with 422 for a system without levels.
     *
     *     Scope: `read`.
     */
    get: operations['countUsersByLevel'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/points/{key}/summary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count the users by their points
     * @description The number of users without points, then ten equal ranges from 1 to the highest total, rounded up.
     *
     *     Scope: `read`.
     */
    get: operations['countUsersByPoints'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/leaderboards': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List all leaderboards
     * @description Scope: `read`.
     */
    get: operations['listLeaderboards'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/leaderboards/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the rankings of a leaderboard
     * @description Scope: `read`.
     */
    get: operations['getLeaderboard'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{id}/leaderboards/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a user’s place on a leaderboard
     * @description Scope: `read`.
     */
    get: operations['getUserLeaderboard'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/leaderboards/{key}/runs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the runs of a leaderboard
     * @description Newest first, including those in which nobody has a value.
     *
     *     Scope: `read`.
     */
    get: operations['listLeaderboardRuns'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/grants/points': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a user points, or take some
     * @description Recorded as an event, with who gave it and why. It is one award, cut to the room between 0 and the cap; its trigger is of the type `grant`. The level follows, and so do leaderboards unless `boards` is false. It fires no trigger.
     *
     *     Scope: `support` or `admin`.
     */
    post: operations['grantPoints'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/grants/freezes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a user streak freezes
     * @description Recorded as an event, with who gave them and why. The user holds at most the configured maximum by it; without freezes configured it is refused with 422.
     *
     *     Scope: `support` or `admin`.
     */
    post: operations['grantFreezes'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/grants/streak': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restore a user’s streak
     * @description Recorded as an event, with who restored it and why. A streak that has ended lives again with the length that it had, and the present period can extend it; one that is alive stays as it is. No trigger fires; leaderboards of streaks follow. Without a streak configured it is refused with 422.
     *
     *     Scope: `support` or `admin`.
     */
    post: operations['restoreStreak'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/grants/excused': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Excuse days of a user’s streak
     * @description Recorded as an event, with who excused them and why. A period of which every date is excused, and which is not met, counts as kept: it uses no freeze and extends nothing. A freeze that was used there comes back, and a streak that ended because of it lives again. No trigger fires; leaderboards of streaks follow. Without a streak configured it is refused with 422.
     *
     *     Scope: `support` or `admin`.
     */
    post: operations['excuseDays'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/grants/achievement': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Complete an achievement for a user
     * @description Recorded as an event, with who gave it and why. It is complete from now on, whatever its trigger, and settles what it completes and awards as any completion: the achievements made of it, and points for them. One that is complete stays as it is.
     *
     *     Scope: `support` or `admin`.
     */
    post: operations['grantAchievement'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/grants/revocation': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke a user’s achievement
     * @description Recorded as an event, with who took it and why. The completion goes from the user’s list and from the counts; the points that it gave stay, and so do achievements made of it. If its condition is met, the next event completes it, and pays for it, again; so does the call, or a grant.
     *
     *     Scope: `support` or `admin`.
     */
    post: operations['revokeAchievement'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/streaks/freezes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give streak freezes to many users
     * @description In the shape that clients of this API know. One event for each user; what is wrong with one is an issue, the others get theirs. Each holds at most the configured maximum by it.
     *
     *     Scope: `support` or `admin`.
     */
    post: operations['createStreakFreezes'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/streaks/restore': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Restore the streaks of many users
     * @description In the shape that clients of this API know. One event for each user; what is wrong with one is an issue. The last streak lives again with the length that it had.
     *
     *     Scope: `support` or `admin`.
     */
    post: operations['restoreStreaks'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/grants': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Excuse days of many users, or of everybody
     * @description One event for each user. For everybody call it again with `after` until `next` is null; the key is required then, and whoever has it by that key is passed over, so it can be broken off and begun again.
     *
     *     Scope: `support` or `admin`.
     */
    post: operations['grantToMany'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/corrections/previews': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * See what a correction would do
     * @description Shows what changes for each user: totals, points and levels, achievements, streak and freezes, and values in leaderboard runs. Nothing is recorded. The `id` stands for this request and the corrections before it. It stays valid over a restart; a later correction of one of the users makes it stale.
     *
     *     Scope: `support` or `admin`.
     */
    post: operations['previewCorrection'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/corrections': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Correct recorded events
     * @description Recorded as one event for each user, with who made the correction and why. From then on the user’s state is what it would be if the events had been recorded as corrected; earlier answers stay as they were. The request needs the `id` of a preview of the same request, made after its users were last corrected. To undo a correction, retract its own event.
     *
     *     Scope: `support` or `admin`.
     */
    post: operations['correctEvents'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/explain/points/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Explain a user’s points
     * @description What gave and took points, newest first. The changes of all entries add up to `recorded`. The rules themselves say why, by applying the user’s events again; those of a user with more than 500 in the background first.
     *
     *     Scope: `read` or `support`.
     */
    get: operations['explainPoints'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/explain/points/{key}/events/{eventId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Explain why an event gave points, or none
     * @description Each trigger of the system in the version of the event: what it gave, or why it gave nothing.
     *
     *     Scope: `read` or `support`.
     */
    get: operations['explainPointsOfEvent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/explain/achievements/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Explain a user’s achievement
     * @description Which event completed it, or what is missing, as the rules decide it from the user’s state.
     *
     *     Scope: `read` or `support`.
     */
    get: operations['explainAchievement'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/explain/streak': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Explain a user’s streak
     * @description For each period, the progress of each condition and whether the period was met, bridged or missed; and the changes of the user’s time zone.
     *
     *     Scope: `read` or `support`.
     */
    get: operations['explainStreak'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/explain/leaderboards/{key}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Explain a user’s place on a leaderboard
     * @description What made up the value, event by event, who is next to the user, and why one who is not ranked is not. The changes on all pages add up to the value.
     *
     *     Scope: `read` or `support`.
     */
    get: operations['explainStanding'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/events/{eventId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show an event and all that it caused
     * @description Personal fields are left out. What a sweep caused comes in pages, as it may settle many users.
     *
     *     Scope: `read` or `support`.
     */
    get: operations['getEvent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/metrics/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Record many events
     * @description As JSON up to 1,000 events, at most 8 MiB in all; as a stream of NDJSON any number of them. They are recorded in order. What is wrong with one is its own result; the others go in. In the distributed topology a result says that the event is recorded, not that reads show it already; with `results=full` the answer waits until they do. If the whole batch was turned away (503 `overloaded` or `unavailable`), nothing was recorded and it can be sent again as it is. The first event with a `timestamp` opens an import.
     *
     *     **As a stream** (`Content-Type: application/x-ndjson`): an event a line of at most 64 KiB, no bound on the whole. The results come as NDJSON, in order, while the request is still being sent, so read them while you send: the service reads no further ahead than about a thousand events. The status is 200 with the first result; what is refused before is an error as usual. What the service turns away for the moment it submits again by itself. A last line without `index` says why the stream was ended before its end: after 20 lines in a row that are not JSON, after two minutes in which nothing happens, when the service stops, or when the store takes nothing for half a minute. What has no result was not recorded then; if the connection breaks, it may have been, and a key makes it safe to send again.
     *
     *     Scope: `admin`.
     */
    post: operations['recordBatch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/imports': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the import that is open
     * @description Scope: `read`.
     */
    get: operations['getOpenImport'];
    put?: never;
    /**
     * Open an import with options
     * @description Without it the first event with a `timestamp` opens an import, without options. If one is open it gets these options, and an option that is left out is off. The import ends as any other. Imported events make no outcomes, unless it is opened with `outgoing`: then those that follow make the outcomes that the configuration names, as live ones do. The distributed topology refuses `unboundedAwards` as `invalid_request`.
     *
     *     Scope: `admin`.
     */
    post: operations['openImport'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/imports/finish': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End an import
     * @description An import also ends after ten minutes without an imported event. Until it ends, no time awards are swept. The answer waits until reads show everything that was recorded before, or lists in `pending` the areas that do not show it yet.
     *
     *     Scope: `admin`.
     */
    post: operations['finishImport'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/export/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export metric events
     * @description Those whose `timestamp` lies in the range, in the order of recording, up to the newest when it begins. Streamed: it may be as large as the account. If it cannot be completed the connection is cut, so a body that arrived whole is whole. As CSV (RFC 4180, with a header) a text that a spreadsheet would take for a formula begins with an apostrophe; NDJSON has every text as it is.
     *
     *     Scope: `export`.
     */
    get: operations['exportEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/export/awards': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export awards of points
     * @description Those given in the range and recorded, of all points systems. Time awards follow when they are recorded. Streamed: it may be as large as the account. If it cannot be completed the connection is cut, so a body that arrived whole is whole. As CSV (RFC 4180, with a header) a text that a spreadsheet would take for a formula begins with an apostrophe; NDJSON has every text as it is.
     *
     *     Scope: `export`.
     */
    get: operations['exportAwards'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/export/rankings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export the rankings of runs
     * @description Of every run that touches the dates of the range, by leaderboard, run and rank. A run of at most 10,000 ranked users is shown as of one moment; a larger one that goes on may change meanwhile. Streamed: it may be as large as the account. If it cannot be completed the connection is cut, so a body that arrived whole is whole. As CSV (RFC 4180, with a header) a text that a spreadsheet would take for a formula begins with an apostrophe; NDJSON has every text as it is.
     *
     *     Scope: `export`.
     */
    get: operations['exportRankings'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/export/winners': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export the winners of a run
     * @description The ranked users of a final run, with their contact details. A run that is not final has no winners: 422. Streamed: it may be as large as the account. If it cannot be completed the connection is cut, so a body that arrived whole is whole. As CSV (RFC 4180, with a header) a text that a spreadsheet would take for a formula begins with an apostrophe; NDJSON has every text as it is.
     *
     *     Scope: `export`.
     */
    get: operations['exportWinners'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export everything held about a user
     * @description For users who ask for their data: profile, events with what was said of the user in them, awards, streak, completions, ranks, and what was told of the user, in outcomes and to webhooks. No other user is named. Streamed; if it cannot be completed the connection is cut. Its parts are read one after the other, so that an event that comes meanwhile may be in some of them only. It reads the whole log.
     *
     *     Scope: `export`.
     */
    get: operations['exportUser'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/outcomes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read outcomes in order
     * @description What happened, of the types that the configuration names (`outgoing`), in the order of the log; the bodies are those under `webhooks`. The header `Laurel-Cursor` is `after` of the next call, and `Laurel-Head` the cursor behind all that there were; with it as `until`, calls come to an end whatever is made meanwhile. With `Accept: application/cloudevents-batch+json` they come as CloudEvents 1.0.
     *
     *     Scope: `export`.
     */
    get: operations['readOutcomes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the log in order
     * @description Every event that was recorded, from the first on, in the order of recording. The header `Laurel-Cursor` is `after` of the next call; it is the one that was sent if there are no more at present. `Laurel-Head` is the cursor behind all that there were; with it as `until`, calls come to an end whatever is recorded meanwhile. With `types`, a call looks at 1,000 events, so that one with fewer than `limit`, or without any, need not be the last. With `Accept: application/cloudevents-batch+json` they come as CloudEvents 1.0.
     *
     *     Scope: `export`.
     */
    get: operations['readEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/configurations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the published versions
     * @description Scope: `admin`.
     */
    get: operations['listConfigurations'];
    put?: never;
    /**
     * Publish a configuration
     * @description The new version applies to every event recorded after it. The document replaces the whole one in force, so start from `GET /admin/v1/configurations/current`. Send it as `text`, so that its comments and its order are kept. Send the `id` of its plan as `plan`, so that you do not overwrite what somebody else has published since: the answer is then 422 `stale_plan`. A document with mistakes is refused with 422, which lists up to 1,000 of them.
     *
     *     Scope: `admin`.
     */
    post: operations['publishConfiguration'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/configurations/plan': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Show what publishing a configuration would change
     * @description Nothing is published.
     *
     *     Scope: `admin`.
     */
    post: operations['planConfiguration'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/configurations/{version}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a published version
     * @description Scope: `admin`.
     */
    get: operations['getConfiguration'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/status': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the state of the service
     * @description Scope: `admin`.
     */
    get: operations['getStatus'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/digest': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Hash everything that is stored
     * @description Computed from the tables, which takes as long as reading all of them.
     *
     *     Scope: `admin`.
     */
    get: operations['getDigest'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/state': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export the read models
     * @description The whole account as of now, streamed: it may be as large as the account.
     *
     *     Scope: `admin`.
     */
    get: operations['getState'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the audit log
     * @description Everything that callers, or the process on its own, have done: publications, imports, keys, and every other event with an actor. Newest first.
     *
     *     Scope: `admin`.
     */
    get: operations['listAudit'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/log/head': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the hash of the log
     * @description The root of a Merkle tree (RFC 6962) over what is stored of every record. Keep it elsewhere: with `since`, a later answer proves that the log still begins with what it held then.
     *
     *     Scope: `admin`.
     */
    get: operations['getLogHead'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/log/proofs/{eventId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Prove that an event is in the log
     * @description Proved by the current hash of the log.
     *
     *     Scope: `admin`.
     */
    get: operations['getLogProof'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/rebuilds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rebuild read models
     * @description Rebuilds read models from the first record. With `verify`, it compares the result with what is stored at one moment, and then discards it. Refused with 422 while a rebuild is running, or if the requested areas cannot be rebuilt alone.
     *
     *     Scope: `admin`.
     */
    post: operations['startRebuild'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/rebuilds/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the progress of a rebuild
     * @description Rebuilds are remembered until the process ends.
     *
     *     Scope: `admin`.
     */
    get: operations['getRebuild'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/verifications': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Verify what is stored
     * @description Hashes the log again, and compares it with what users, achievements, points and leaderboards hold, all as of one moment. With `full` it also folds the events of every user and compares with every stored row, which takes about as long as a rebuild. With `only=log` it compares nothing but the log with its hash. It changes nothing. One at a time: refused with 422 while one is under way.
     *
     *     Scope: `admin`.
     */
    post: operations['startVerification'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/verifications/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the result of a verification
     * @description Verifications are remembered until the process ends.
     *
     *     Scope: `admin`.
     */
    get: operations['getVerification'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/days': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count events, users and points by day
     * @description Read from counters that are updated with each event. Dates are those of each user’s own time zone.
     *
     *     Scope: `read`.
     */
    get: operations['listDays'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List users
     * @description By id, or by `email` or `name` if the index of users is on (`LAUREL_USER_SEARCH`), with at most 20 users per page. A page may hold fewer users than `limit`; only `next` says whether more follow.
     *
     *     Scope: `support` or `admin`.
     */
    get: operations['listUsers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a user and where they stand
     * @description Profile, totals, streak, achievements and points as of now.
     *
     *     Scope: `read` or `support`.
     */
    get: operations['getUserOverview'];
    put?: never;
    post?: never;
    /**
     * Erase a user
     * @description Ask with `preview=true` first: nothing changes, and the answer lists every place that holds something of the user. Then name its `previewId` and a reason. Id, name, e-mail, attributes and device tokens are gone for good; metrics, values, instants and the clock stay under a number that leads to nobody. The same id is a new user from then on. Refused while an import is open.
     *
     *     Scope: `admin`.
     */
    delete: operations['eraseUser'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/users/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List a user’s events and what they caused
     * @description Newest recorded first: events that name the user, grants, and the sweeps that settled them.
     *
     *     Scope: `read` or `support`.
     */
    get: operations['listUserEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/achievements/{key}/completions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the users who completed an achievement
     * @description Newest first. A page may hold fewer than `limit`: users who were erased are left out.
     *
     *     Scope: `support` or `admin`.
     */
    get: operations['listCompletions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/points/{key}/levels/{level}/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the users on a level
     * @description Newest first, each as of their last recorded event. A page may hold fewer than `limit`: users who were erased are left out.
     *
     *     Scope: `support` or `admin`.
     */
    get: operations['listUsersOnLevel'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the API keys
     * @description Scope: `admin`.
     */
    get: operations['listKeys'];
    put?: never;
    /**
     * Create an API key
     * @description Only this answer shows the key: Laurel keeps nothing but its hash.
     *
     *     Scope: `admin`.
     */
    post: operations['createKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/keys/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an API key
     * @description Requests with the key are refused from then on. Revoking it again changes nothing.
     *
     *     Scope: `admin`.
     */
    delete: operations['revokeKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the endpoints
     * @description Scope: `admin`.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Create an endpoint
     * @description Laurel sends it outcomes from now on, signed as Standard Webhooks defines. Only this answer shows the secret. At most 50 endpoints.
     *
     *     Scope: `admin`.
     */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/webhooks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete an endpoint and its deliveries
     * @description Scope: `admin`.
     */
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    /**
     * Change an endpoint
     * @description Deliveries that are already prepared stay as they are, but go to the new URL.
     *
     *     Scope: `admin`.
     */
    patch: operations['changeWebhook'];
    trace?: never;
  };
  '/admin/v1/webhooks/{id}/enable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enable an endpoint
     * @description Scope: `admin`.
     */
    post: operations['enableWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/webhooks/{id}/disable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Disable an endpoint
     * @description Nothing is sent to it until it is enabled again. Outcomes wait for it for up to 30 days.
     *
     *     Scope: `admin`.
     */
    post: operations['disableWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/webhooks/{id}/secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give an endpoint a new secret
     * @description The previous secret also signs for 24 hours. An even older one ends at once.
     *
     *     Scope: `admin`.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/webhooks/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test to an endpoint
     * @description Sends one request of the type `webhook.test` at once, even if the endpoint is disabled. It is not retried and not listed.
     *
     *     Scope: `admin`.
     */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/webhooks/{id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List deliveries to an endpoint
     * @description Newest first. Delivered ones are kept for 7 days and abandoned ones for 30, at most the newest 10,000 of each.
     *
     *     Scope: `admin`.
     */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/webhooks/{id}/deliveries/{delivery}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a delivery again
     * @description It gets as many attempts as a new delivery. One that waits for its next attempt is tried at once.
     *
     *     Scope: `admin`.
     */
    post: operations['resendWebhookDelivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/webhooks/{id}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send outcomes to an endpoint again
     * @description Sends outcomes from a sequence up to the last one that the endpoint had, with their original ids and the header `webhook-replay: true`. It ends any other replay to the endpoint.
     *
     *     Scope: `admin`.
     */
    post: operations['replayWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/console': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The console, for browsers
     * @description Served without a key.
     */
    get: operations['getConsole'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/console/{page}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A page of the console
     * @description Served without a key.
     */
    get: operations['getConsolePage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/console/{page}/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A page of the console about one thing, such as a user
     * @description Served without a key.
     */
    get: operations['getConsolePageOfOne'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/console/assets/{file}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A file that the pages of the console load
     * @description Its name changes with its content, so it can be cached for ever.
     *
     *     Served without a key.
     */
    get: operations['getConsoleAsset'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/console/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the session of the cookie
     * @description Served without a key.
     */
    get: operations['getSession'];
    put?: never;
    /**
     * Sign in with a browser
     * @description Exchanges an API key, or the token of a link, for the cookie `laurel_session`. Over plain HTTP only in a browser on the machine of the service. At most ten failed attempts a minute from an address.
     *
     *     Served without a key.
     */
    post: operations['signIn'];
    /**
     * Sign out
     * @description Ends the session of the cookie, if there is one, and removes the cookie.
     *
     *     Served without a key.
     */
    delete: operations['signOut'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/console-links': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a link that signs in once
     * @description For a browser without a key. The link works once, within 30 minutes.
     *
     *     Scope: `admin`.
     */
    post: operations['createConsoleLink'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/console-sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List who is signed in
     * @description Scope: `admin`.
     */
    get: operations['listConsoleSessions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/console-sessions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * End a session
     * @description Scope: `admin`.
     */
    delete: operations['endConsoleSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/v1/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Watch events as they are recorded
     * @description Server-sent events. A message `events` carries what was recorded of users since the one before, and what each event caused: at most 50 of them, and at most 4 messages a second; `skipped` counts those left out. Its `id` is a cursor: sent as `Last-Event-ID`, or as `after`, it resumes behind it, without a gap and without an event twice. Without a cursor, the stream begins with the newest of the log. `resync`, without an id: the cursor was more than 1,000 events behind, or there was more than could be read, and what follows begins now. Sweeps are left out. A comment comes at least every 15 seconds. At most 32 watch one process; who does not read is disconnected, and so is a watcher whose session or key has ended.
     *
     *     Scope: `read`.
     */
    get: operations['watchEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/healthz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Is the process alive?
     * @description Served without a key.
     */
    get: operations['getHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/readyz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Is the service ready?
     * @description The service is ready if stored rows can be read, events can be recorded, and every area keeps up.
     *
     *     Served without a key.
     */
    get: operations['getReadiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read metrics for Prometheus
     * @description By default the standalone answers callers on its own machine only, and the processes of the distributed topology answer everybody; `LAUREL_METRICS` changes that. With `off` the path is unknown.
     *
     *     Served without a key.
     */
    get: operations['getMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/openapi.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read this description in OpenAPI 3.1
     * @description Served without a key.
     */
    get: operations['getOpenApiDocument'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the start page
     * @description Served without a key.
     */
    get: operations['getHomePage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/docs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Browse and try the API
     * @description Served without a key.
     */
    get: operations['getDocs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/docs/{file}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read about an error, or a file of the pages
     * @description Served without a key.
     */
    get: operations['getDocsFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'achievement.completed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A user completed an achievement. */
    post: operations['on_achievement_completed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'emails.achievement_due': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A user completed an achievement, and can be told. */
    post: operations['on_emails_achievement_due'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'streak.started': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A user met the first period of a new streak. */
    post: operations['on_streak_started'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'streak.extended': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A user met another period of a streak. */
    post: operations['on_streak_extended'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'streak.at_risk': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A period is not met yet, and it is time to remind the user. */
    post: operations['on_streak_at_risk'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'emails.streak_reminder_due': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A period is not met yet, and it is time to remind the user. */
    post: operations['on_emails_streak_reminder_due'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'emails.recap_due': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** It is time to tell a user what they did in a week. */
    post: operations['on_emails_recap_due'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'emails.reactivation_due': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Nothing was reported of a user for so many days. */
    post: operations['on_emails_reactivation_due'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'streak.lost': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A streak ended. */
    post: operations['on_streak_lost'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'streak.freeze_consumed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Freezes bridged periods that were not met. */
    post: operations['on_streak_freeze_consumed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'streak.freeze_earned': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A user earned freezes, or was given some. */
    post: operations['on_streak_freeze_earned'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'points.changed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A user’s total in a points system changed. */
    post: operations['on_points_changed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'points.level_changed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A user’s level in a points system changed. */
    post: operations['on_points_level_changed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'leaderboard.started': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A run of a leaderboard has begun. */
    post: operations['on_leaderboard_started'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'leaderboard.finished': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A run of a leaderboard has ended in every zone: these are its winners. */
    post: operations['on_leaderboard_finished'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'leaderboard.rank_changed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** What a user did changed their own rank in a run. */
    post: operations['on_leaderboard_rank_changed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'leaderboard.rank_lost': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Somebody overtook a user within the first ranks of a run. */
    post: operations['on_leaderboard_rank_lost'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'leaderboard.changed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Somebody moved within the first ranks of a run. */
    post: operations['on_leaderboard_changed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'user.created': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Something was recorded of a user for the first time. */
    post: operations['on_user_created'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'user.corrected': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Events of a user were corrected. Nothing else is sent of it: read what you keep of the user again. */
    post: operations['on_user_corrected'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'user.erased': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A user was erased; nobody knows any more who it was. */
    post: operations['on_user_erased'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'configuration.published': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A configuration was published. */
    post: operations['on_configuration_published'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'import.finished': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** An import was closed. */
    post: operations['on_import_finished'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'endpoint.disabled': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** A webhook was disabled, and outcomes wait for it. It is sent to the other webhooks. */
    post: operations['on_endpoint_disabled'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    /** @description The read models of the whole account. */
    AccountState: {
      /**
       * Format: int64
       * @description How many events were recorded.
       */
      events: number;
      /**
       * Format: date-time
       * @description The instant that all values refer to.
       * @example 2026-03-01T20:00:00.000Z
       */
      asOf: string;
      /** @description Every user, by id. */
      users: {
        [key: string]: components['schemas']['UserState'];
      };
      /** @description Rankings by leaderboard and first date of the run, best first. */
      leaderboards: {
        [key: string]: {
          [key: string]: components['schemas']['RankedState'][];
        };
      };
    };
    /** @description An achievement. Which optional fields it has depends on its `trigger`. */
    Achievement: {
      /**
       * Format: uuid
       * @description Stays the same whenever the configuration is published again.
       */
      id: string;
      /**
       * @description Its key in the configuration. Calls that complete an achievement with the trigger `api` name this key.
       * @example profile
       */
      key: string;
      /**
       * @description What completes it: a total (`metric`), an extension of the streak (`streak`), a call (`api`), or other achievements (`achievement`).
       * @enum {string}
       */
      trigger: 'metric' | 'streak' | 'api' | 'achievement';
      /**
       * Format: uuid
       * @description The metric; null unless the trigger is `metric`.
       */
      metricId: string | null;
      /**
       * @description Name of the metric; null unless the trigger is `metric`.
       * @example Lessons
       */
      metricName: string | null;
      /**
       * Format: double
       * @description The total that completes it; null unless the trigger is `metric`.
       * @example 10
       */
      metricValue: number | null;
      /**
       * Format: int64
       * @description Only with trigger `streak`: the length that completes it.
       */
      streakLength?: number;
      /** @description Only with trigger `achievement`: the achievements that together complete it. */
      achievementIds?: string[];
      /**
       * @description Name to show.
       * @example First lesson
       */
      name: string;
      /** @description Description to show; null if there is none. */
      description: string | null;
      /**
       * @description Address of a picture; null if there is none.
       * @example https://example.org/first.png
       */
      badgeUrl: string | null;
      /**
       * Format: date-time
       * @description Instant of the event that completed it; null if it is not complete, or of no user.
       * @example 2026-03-01T20:00:00.000Z
       */
      achievedAt: string | null;
      /** @description Always empty. */
      userAttributes: unknown[];
    };
    /** @description A user completed an achievement. */
    AchievementCompletedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'achievement.completed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description The achievement, with when it was completed. */
      achievement: components['schemas']['Achievement'];
    };
    /** @description A user completed an achievement, and can be told. */
    AchievementDueOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'emails.achievement_due';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description The achievement, with when it was completed. */
      achievement: components['schemas']['Achievement'];
    };
    /** @description An achievement completed or revoked by hand. */
    AchievementGrantRequest: {
      /**
       * @description Key of the achievement, whatever its trigger.
       * @example profile
       */
      achievement: string;
      /**
       * @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded, and erased with the user.
       * @example The lesson of 2 March was not counted.
       */
      reason: string;
    };
    /** @description The process is alive. */
    Alive: {
      /**
       * @description Always `alive`. Otherwise the answer is 503, or there is no answer.
       * @constant
       */
      status: 'alive';
    };
    /** @description An API key, without the key itself. */
    ApiKey: {
      /**
       * Format: uuid
       * @description The id, by which the key is revoked.
       */
      id: string;
      /**
       * @description A label for the key, such as the name of the backend that uses it.
       * @example web backend
       */
      label: string;
      /** @description The scopes that it grants. */
      scopes: components['schemas']['Scope'][];
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2026-03-01T20:00:00.000Z
       */
      createdAt: string;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      createdBy: string | null;
      /**
       * Format: date-time
       * @description When the key expires; null: never.
       * @example 2026-03-01T20:00:00.000Z
       */
      expiresAt: string | null;
      /**
       * Format: date-time
       * @description When the key was revoked; null: it is not revoked.
       * @example 2026-03-01T20:00:00.000Z
       */
      revokedAt: string | null;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      revokedBy: string | null;
      /**
       * Format: int64
       * @description Requests per minute that the key may make; null: no limit.
       */
      requestsPerMinute: number | null;
    };
    /**
     * @description An area, in the order of the chain.
     * @enum {string}
     */
    AreaName: 'users' | 'streaks' | 'achievements' | 'points' | 'leaderboards';
    /** @description How far an area has come. */
    AreaStatus: {
      /** @description The area. */
      area: components['schemas']['AreaName'];
      /**
       * Format: int64
       * @description The area has applied every record up to here.
       */
      position: number;
      /**
       * Format: int64
       * @description Version of the format in which its state is stored.
       */
      stateVersion: number;
      /** @description Why it is halted after this position; null while it runs. */
      failure: string | null;
    };
    /**
     * @description Merged into those of the user by key; null removes a key. The user has at most 50 after it; at most 50 are removed at a time. Keys of 1–255, values of at most 1,024 characters.
     * @example {
     *       "plan": "pro",
     *       "trial": null
     *     }
     */
    AttributeChanges: {
      [key: string]: string | null;
    };
    /** @description Something that a caller, or the process on its own, has done. */
    AuditEntry: {
      /**
       * Format: uuid
       * @description The id of the event.
       */
      id: string;
      /**
       * @description The type of the recorded event, such as `ConfigurationPublished` or `WebhookChanged`.
       * @example ApiKeyRevoked
       */
      type: string;
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      by: string | null;
      /** @description The reason given for it; null: none. */
      reason: string | null;
      /** @description The user whom it concerns; null: none, or one who was erased. */
      userId: string | null;
      /** @description What else the event holds, by its type; of a publication its version, not the document. */
      details: {
        [key: string]: unknown;
      };
    };
    /** @description A page of the audit log, newest first. */
    AuditPage: {
      /** @description Newest first. */
      entries: components['schemas']['AuditEntry'][];
      /** @description Pass it as `cursor` for the next page; null: this is the last page. */
      next: string | null;
    };
    /** @description One change of a user’s points. */
    Award: {
      /**
       * Format: uuid
       * @description Derived from what caused the award.
       */
      id: string;
      /**
       * Format: int64
       * @description Points given, after the cut to the remaining room; negative: points taken.
       * @example 10
       */
      awarded: number;
      /**
       * Format: date-time
       * @description Instant of the event, or at which a time award fell due.
       * @example 2026-03-01T20:00:00.000Z
       */
      date: string;
      /**
       * Format: int64
       * @description The user’s total after it.
       * @example 150
       */
      total: number;
      /** @description The trigger that gave it, even if it has been removed since. */
      trigger: components['schemas']['Trigger'] | null;
    };
    /** @description A recorded award. */
    AwardOfUser: {
      /**
       * Format: uuid
       * @description Of the award; null: a time award of a user who was erased.
       */
      id: string | null;
      /**
       * Format: date-time
       * @description When it was given, or fell due.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string;
      /**
       * Format: date
       * @description That date on the user’s clock.
       * @example 2026-03-01
       */
      date: string;
      /**
       * @description Key of the points system.
       * @example xp
       */
      points: string;
      /** @description The trigger that gave it; `grant`: it was given by hand. */
      triggerId: string;
      /**
       * Format: int64
       * @description Points given; negative: points taken.
       * @example 10
       */
      awarded: number;
      /**
       * Format: int64
       * @description The user’s total after it.
       * @example 340
       */
      total: number;
    };
    /** @description The results of a batch. */
    BatchAnswer: {
      /**
       * Format: int64
       * @description Number of events recorded by this request, without replays.
       */
      accepted: number;
      /** @description The results, one for each event, in their order. */
      results: components['schemas']['BatchResult'][];
    };
    /** @description An event, with its metric, idempotency key and instant beside it. */
    BatchItem: {
      /**
       * @description The metric’s key. `key` is taken instead, too.
       * @example lessons
       */
      metric: string;
      /** @description The user. */
      user: components['schemas']['NamedUser'];
      /**
       * Format: double
       * @description What the event adds to the metric, rounded to six decimals (half away from zero). Zero and negative values are fine.
       * @example 1
       */
      value: number;
      /** @description The event’s attributes, recorded with it; null: none. */
      attributes?: components['schemas']['EventAttributes'] | null;
      /**
       * @description As the header `Idempotency-Key` of a single event; null: none.
       * @example lesson-42
       */
      idempotencyKey?: string | null;
      /**
       * Format: date-time
       * @description When it happened, at most 5 minutes ahead; absent or null: now. Its presence opens an import.
       * @example 2026-01-31T12:00:00+01:00
       */
      timestamp?: string | null;
    };
    /** @description Up to 1,000 events. The list alone is taken instead, too. */
    BatchRequest: {
      /** @description The events, applied in order. */
      events: components['schemas']['BatchItem'][];
    };
    /** @description The result for one event of a batch, or for one line of a stream. */
    BatchResult: {
      /**
       * Format: int64
       * @description The event’s place in the batch, or its line in the stream, from 0.
       */
      index: number;
      /**
       * Format: int64
       * @description The status that a single event would have received: 201, 202, 404, 422, 503 or 500; for a line of a stream also 400 or 413.
       * @example 201
       */
      status: number;
      /**
       * Format: uuid
       * @description The recorded event; of a replay, the original one.
       */
      eventId?: string;
      /** @description Only if the event’s instant is before that of the user’s latest event: it counts for totals, points and boards, but extends and revives no streak. In the distributed topology only with `results=full`. */
      late?: boolean;
      /** @description Only if it was refused: why, in a plain sentence. */
      error?: string;
      /**
       * @description Only if it was refused: the `code` of the error that a single event would have received.
       * @enum {string}
       */
      code?:
        | 'unknown_path'
        | 'method_not_allowed'
        | 'unauthorized'
        | 'forbidden'
        | 'rate_limited'
        | 'unsupported_media_type'
        | 'body_too_large'
        | 'malformed_body'
        | 'malformed_request'
        | 'request_timeout'
        | 'expectation_failed'
        | 'headers_too_large'
        | 'unknown_metric'
        | 'unknown_user'
        | 'unknown_achievement'
        | 'unknown_points_system'
        | 'unknown_level'
        | 'unknown_leaderboard'
        | 'unknown_run'
        | 'unknown_rebuild'
        | 'unknown_verification'
        | 'unknown_configuration'
        | 'unknown_key'
        | 'unknown_session'
        | 'unknown_event'
        | 'unknown_webhook'
        | 'unknown_delivery'
        | 'cursor_expired'
        | 'invalid_request'
        | 'import_open'
        | 'stale_preview'
        | 'stale_plan'
        | 'not_in_this_topology'
        | 'overloaded'
        | 'unavailable'
        | 'starting'
        | 'outcome_unknown'
        | 'state_damaged'
        | 'internal';
      /** @description Only with `results=full`: the answer of the single event. */
      body?: components['schemas']['EventAnswer'];
    };
    /** @description A place of a leaderboard. */
    BoardPlace: {
      /**
       * @description The user; null: erased.
       * @example ada
       */
      userId: string | null;
      /**
       * Format: int64
       * @description The place.
       * @example 2
       */
      rank: number;
      /**
       * Format: double
       * @description The value.
       * @example 12
       */
      value: number;
    };
    /** @description Bytes divided by the number of records in the log; null below 10,000 records, where this would say little. */
    BytesPerEvent: {
      /**
       * Format: int64
       * @description Bytes of the log.
       */
      log: number;
      /**
       * Format: int64
       * @description Bytes of the read models.
       */
      readModels: number;
      /**
       * Format: int64
       * @description Bytes of the indexes.
       */
      indexes: number;
    } | null;
    /** @description A recorded event that concerns the user. */
    CausingEvent: {
      /**
       * Format: uuid
       * @description The event’s id. `/admin/v1/events/{eventId}` shows everything that it caused.
       */
      id: string;
      /**
       * @description The type of the recorded event. `UsersSwept`: only time had passed.
       * @enum {string}
       */
      type:
        | 'MetricEventRecorded'
        | 'UserIdentified'
        | 'AchievementCompletedByCall'
        | 'GrantRecorded'
        | 'CorrectionRecorded'
        | 'UserErased'
        | 'UsersSwept';
      /**
       * @description Of a metric event: the metric’s key.
       * @example lessons
       */
      metric?: string;
      /**
       * Format: double
       * @description Of a metric event: its value.
       * @example 3
       */
      value?: number;
      /** @description Of a grant or a correction: who did it. */
      by?: string | null;
      /** @description Of a grant or a correction: why. */
      reason?: string | null;
      /**
       * Format: date-time
       * @description When it was recorded; for an imported event, this may be long after its instant.
       * @example 2026-03-01T20:00:00.000Z
       */
      recordedAt: string;
    };
    /** @description How far a service of the distributed topology has come. */
    ChainServiceStatus: {
      /**
       * @description Its name.
       * @example points-service
       */
      service: string;
      /**
       * Format: int64
       * @description Running instances in its consumer group; 0: no instance does its work.
       */
      members: number;
      /**
       * Format: int64
       * @description Messages of its input that it has not applied yet; null: unknown at present.
       */
      behind: number | null;
      /**
       * Format: int64
       * @description Milliseconds for which a partition of its input has had messages without any progress; 0: no partition is stalled.
       */
      stalledMs: number;
      /**
       * Format: double
       * @description `stalledMs` in seconds. Use this: `stalledMs` ends with the next release.
       */
      stalledSeconds: number;
      /** @description The halted partitions; the others keep running. */
      stopped: components['schemas']['StoppedPartition'][];
    };
    /** @description A run that changed after it was final. */
    ChangedFinalRun: {
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      leaderboard: string;
      /**
       * Format: date
       * @description First date of the run.
       * @example 2026-03-01
       */
      run: string;
      /**
       * Format: date
       * @description Last date of the run.
       * @example 2026-03-01
       */
      runEnd: string;
    };
    /** @description The user who completed an achievement. */
    CompleteAchievementRequest: {
      /** @description The user who completed it. */
      user: components['schemas']['NamedUser'];
    };
    /** @description A completion of an achievement by a user. */
    Completion: {
      /**
       * @description The user who completed it.
       * @example ada
       */
      userId: string;
      /**
       * Format: date-time
       * @description Instant of the event that completed it.
       * @example 2026-03-01T20:00:00.000Z
       */
      achievedAt: string;
    };
    /** @description What the completion of an achievement caused. */
    CompletionAnswer: {
      /**
       * Format: uuid
       * @description Id of the completion, the same in every answer.
       */
      completionId: string;
      /** @description The achievement, with when it was completed. */
      achievement: components['schemas']['Achievement'];
      /** @description The composite achievements that it completed, in the order of completion; empty if the achievement was already complete. */
      achievements: components['schemas']['Achievement'][];
      /** @description The points systems in which a trigger fired, by key; empty if the achievement was already complete. */
      points: {
        [key: string]: components['schemas']['EventPoints'];
      };
      /** @description The leaderboards on which the completion changed the user’s value, by key; empty if the achievement was already complete. */
      leaderboards: {
        [key: string]: components['schemas']['LeaderboardEventEntry'];
      };
      /** @description Present only if the answer is incomplete: the areas that have not applied the event yet. Their fields are null or empty; they catch up. */
      pending?: ('users' | 'streaks' | 'achievements' | 'points' | 'leaderboards')[];
    };
    /** @description A page of completions of an achievement, newest first. */
    CompletionPage: {
      /** @description Newest first. There may be fewer than `limit`. */
      completions: components['schemas']['Completion'][];
      /** @description Pass it as `cursor` for the next page; null: this is the last page. */
      next: string | null;
    };
    /** @description The health of one component. */
    ComponentHealth: {
      /** @description Whether the component works. */
      ok: boolean;
      /** @description Details by name, which differ by component. */
      detail?: {
        [key: string]: unknown;
      };
    };
    /** @description What publishing a document would change. */
    ConfigurationPlan: {
      /**
       * @description Name it as `plan` to publish the document only if what is in force is still the same.
       * @example 9b1c7e0d4f5a62838796a5b4c3d2e1f0
       */
      id: string;
      /**
       * Format: int64
       * @description The version in force; null: none yet.
       */
      current: number | null;
      /**
       * Format: int64
       * @description The number that the new version would get.
       */
      next: number;
      /** @description The changes. Empty: the document is already in force. */
      changes: components['schemas']['PlannedChange'][];
    };
    /** @description A configuration was published. */
    ConfigurationPublishedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'configuration.published';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /**
       * Format: int64
       * @description The version in force from now on.
       */
      version: number;
    };
    /** @description A configuration to plan or to publish. */
    ConfigurationRequest: {
      /** @description A whole configuration document, as JSON. Required unless `text` is sent. */
      document?: unknown;
      /**
       * @description Instead of `document`: the whole document as YAML or JSON, up to 1 MiB. It is kept with the version and shown as written. If the document is in force already, the text replaces the one shown, and nothing is published.
       * @example # Our study app
       *     version: 1
       *     metrics:
       *       - { key: lessons, name: Lessons finished }
       */
      text?: string | null;
      /** @description Only to publish. true: the document is also recorded as the file last published from, so that a start with it in LAUREL_CONFIG finds it unchanged. */
      accept?: boolean;
      /**
       * @description Only to publish: the `id` of the plan of this document. The document is then published only if what is in force is still what it was planned against.
       * @example 9b1c7e0d4f5a62838796a5b4c3d2e1f0
       */
      plan?: string | null;
      /** @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded. */
      reason?: string | null;
    };
    /** @description Summary of a published version of the configuration. */
    ConfigurationVersion: {
      /**
       * Format: int64
       * @description Its number.
       */
      version: number;
      /**
       * Format: date-time
       * @description When it was published.
       * @example 2026-03-01T20:00:00.000Z
       */
      publishedAt: string;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      publishedBy: string | null;
      /** @description The reason given for the publication; null: none. */
      reason: string | null;
      /** @description Whether this version is in force. */
      current: boolean;
      /**
       * Format: int64
       * @description Number of metrics.
       */
      metrics: number;
      /**
       * Format: int64
       * @description Number of achievements.
       */
      achievements: number;
      /**
       * Format: int64
       * @description Number of points systems.
       */
      pointsSystems: number;
      /**
       * Format: int64
       * @description Number of leaderboards.
       */
      leaderboards: number;
      /** @description Whether it configures a streak. */
      streak: boolean;
    };
    /** @description A link that opens one session. */
    ConsoleLink: {
      /**
       * @description Signs a browser in, once. The token follows `#`, which browsers do not send.
       * @example http://localhost:3000/console#token=…
       */
      url: string;
      /** @description The scopes of the session. */
      scopes: components['schemas']['Scope'][];
      /**
       * Format: date-time
       * @description When the link expires: 30 minutes after it was created.
       * @example 2026-03-01T20:00:00.000Z
       */
      expiresAt: string;
    };
    /** @description What the link should allow. */
    ConsoleLinkRequest: {
      /** @description The scopes of the session; absent: those of the caller. */
      scopes?: components['schemas']['Scope'][] | null;
    };
    /** @description A session of somebody who signed in with a browser. */
    ConsoleSession: {
      /**
       * Format: uuid
       * @description The id, by which the session is ended.
       */
      id: string;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      by: string | null;
      /** @description The scopes that it grants. */
      scopes: components['schemas']['Scope'][];
      /**
       * Format: date-time
       * @description When it was opened.
       * @example 2026-03-01T20:00:00.000Z
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description When it was last used, within a minute.
       * @example 2026-03-01T20:00:00.000Z
       */
      usedAt: string;
      /**
       * Format: date-time
       * @description When it ends unless it is used: an hour after its last use, at most 12 hours after it was opened.
       * @example 2026-03-01T20:00:00.000Z
       */
      expiresAt: string;
    };
    /** @description A change of a user’s value on a leaderboard, and what made it. */
    Contribution: {
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string;
      /**
       * @description The user’s time zone at that time.
       * @example Europe/Berlin
       */
      zone: string;
      /** @description The event, or the sweep, with which it was recorded. */
      event: components['schemas']['CausingEvent'];
      /** @description Of a leaderboard that ranks by points: what gave them; they add up to `change`. null: it ranks by something else, a correction changed the value, or the points area has not applied the event yet. */
      awards: components['schemas']['CountedAward'][] | null;
      /**
       * Format: double
       * @description Change of the value; negative: it went down.
       * @example 3
       */
      change: number;
      /**
       * Format: double
       * @description The value after it.
       * @example 9
       */
      value: number;
      /**
       * Format: int64
       * @description The place before; null: not ranked.
       */
      previousRank: number | null;
      /**
       * Format: int64
       * @description The place after it; null: not ranked.
       */
      rank: number | null;
      /**
       * Format: int64
       * @description The configuration version under which the event was applied.
       * @example 1
       */
      version: number;
    };
    /** @description A previewed correction, and why it is made. */
    CorrectEventsRequest: {
      /** @description Each event once; of at most 100 users. */
      corrections: components['schemas']['RequestedCorrection'][];
      /** @description `keep`: what was completed stays completed. Points are those of the events all the same, so what it gave is taken back. Absent: `recompute`. */
      achievements?: ('recompute' | 'keep') | null;
      /** @description `change`: runs that are final are corrected too. Absent: `keep`. */
      finalRuns?: ('keep' | 'change') | null;
      /** @description The id of a preview of the same request, made after its users were last corrected. */
      preview: string;
      /**
       * @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded, and erased with the user.
       * @example The lesson of 2 March was not counted.
       */
      reason: string;
    };
    /** @description How an event was corrected. */
    CorrectedEvent: {
      /**
       * Format: uuid
       * @description The event that was corrected.
       */
      eventId: string;
      /** @description The event no longer counts. If it is a correction, what it corrected is as before. */
      retract?: boolean;
      /**
       * Format: double
       * @description The value that now counts.
       * @example 3
       */
      value?: number;
      /**
       * Format: date-time
       * @description The instant that now counts.
       * @example 2026-03-01T20:00:00.000Z
       */
      occurredAt?: string;
      /**
       * @description The zone that now counts.
       * @example Europe/Berlin
       */
      tz?: string;
    };
    /** @description Its instant, if it was amended. */
    CorrectedInstant: {
      /**
       * Format: date-time
       * @description As it was recorded.
       * @example 2026-03-01T20:00:00.000Z
       */
      original: string;
      /**
       * Format: date-time
       * @description As the corrections have it.
       * @example 2026-03-01T20:00:00.000Z
       */
      present: string;
    };
    /** @description Its value, if it was amended. */
    CorrectedValue: {
      /**
       * Format: double
       * @description As it was recorded.
       */
      original: number;
      /**
       * Format: double
       * @description As the corrections have it.
       */
      present: number;
    };
    /** @description Its zone, if it was amended. */
    CorrectedZone: {
      /**
       * @description As it was recorded; null: the event named none.
       * @example Europe/Berlin
       */
      original: string | null;
      /**
       * @description As the corrections have it.
       * @example Europe/Berlin
       */
      present: string;
    };
    /** @description The events that were recorded. */
    CorrectionAnswer: {
      /** @description The corrections, one for each user. */
      corrections: {
        /**
         * @description The user; null: erased.
         * @example ada
         */
        userId: string | null;
        /**
         * Format: uuid
         * @description The event that corrects; retract it to undo the correction.
         */
        eventId: string;
      }[];
      /** @description Only if a key was sent: true if it had been used before and nothing changed now. */
      idempotentReplayed?: boolean;
      /** @description Only if a key was sent: that key. */
      idempotencyKey?: string;
    };
    /** @description A correction of an event: who made it, when and why. */
    CorrectionOfEvent: {
      /**
       * Format: uuid
       * @description The event that corrects; retract it to undo the correction.
       */
      eventId: string;
      /**
       * Format: date-time
       * @description When it was made.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      by: string | null;
      /**
       * @description Why; null: the user was erased.
       * @example sent twice
       */
      reason: string | null;
    };
    /** @description What a correction would do now. Nothing is recorded. */
    CorrectionPreview: {
      /**
       * @description Send it as `preview` to make the correction.
       * @example 6f1e2d3c4b5a69788796a5b4c3d2e1f0
       */
      id: string;
      /** @description In the order in which the request names them first. */
      users: components['schemas']['PreviewedUser'][];
    };
    /** @description What corrections have made of an event. */
    CorrectionsOfEvent: {
      /** @description Whether the event no longer counts. */
      retracted: boolean;
      value?: components['schemas']['CorrectedValue'];
      occurredAt?: components['schemas']['CorrectedInstant'];
      tz?: components['schemas']['CorrectedZone'];
      /** @description The corrections that say so, oldest first: the latest retraction, and the latest of each amended field. */
      corrections: components['schemas']['CorrectionOfEvent'][];
    };
    /** @description An award that counts on a leaderboard. */
    CountedAward: {
      /** @description What gave the points: a trigger of this type, or a grant. */
      type: ('metric' | 'streak' | 'achievement' | 'user_creation' | 'time' | 'grant' | 'correction') | null;
      /** @description The trigger that fired, even if it has been removed since; null: it was a grant. */
      trigger: components['schemas']['Trigger'] | null;
      /**
       * Format: int64
       * @description Points given; negative: points taken.
       * @example 15
       */
      change: number;
    };
    /** @description A newly created API key. */
    CreatedApiKey: {
      /**
       * Format: uuid
       * @description The id, by which the key is revoked.
       */
      id: string;
      /**
       * @description A label for the key, such as the name of the backend that uses it.
       * @example web backend
       */
      label: string;
      /** @description The scopes that it grants. */
      scopes: components['schemas']['Scope'][];
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2026-03-01T20:00:00.000Z
       */
      createdAt: string;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      createdBy: string | null;
      /**
       * Format: date-time
       * @description When the key expires; null: never.
       * @example 2026-03-01T20:00:00.000Z
       */
      expiresAt: string | null;
      /**
       * Format: date-time
       * @description When the key was revoked; null: it is not revoked.
       * @example 2026-03-01T20:00:00.000Z
       */
      revokedAt: string | null;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      revokedBy: string | null;
      /**
       * Format: int64
       * @description Requests per minute that the key may make; null: no limit.
       */
      requestsPerMinute: number | null;
      /** @description The key: shown in this answer and never again. */
      key: string;
    };
    /** @description An endpoint, and its secret. */
    CreatedWebhook: {
      /**
       * Format: uuid
       * @description Its id.
       */
      id: string;
      /** @description The URL that outcomes are sent to. */
      url: string;
      /** @description The description. */
      description: string;
      /** @description The types of outcomes that are sent; null: all. */
      types: string[] | null;
      /**
       * @description user: the outcomes of a user come in order, and one that fails holds back only those of its user. strict: all come in order, one at a time.
       * @enum {string}
       */
      ordering: 'user' | 'strict';
      /** @description Whether `X-Trophy-Signature` is sent as well: base64 of the HMAC-SHA256 of the body by the secret. */
      trophySignature: boolean;
      /**
       * Format: int64
       * @description Seconds in which `points.changed`, `leaderboard.rank_changed` and `leaderboard.changed` are sent at most once for each user and subject; 0: each of them is sent. With `strict` ordering each is.
       * @example 900
       */
      minimumInterval: number;
      /**
       * @description Whether it is enabled. While it is disabled, outcomes wait.
       * @enum {string}
       */
      state: 'enabled' | 'disabled';
      /** @description Why it is disabled; null: it is enabled. */
      disabledBecause: string | null;
      /**
       * Format: date-time
       * @description Since when it has been in this state.
       * @example 2026-03-01T20:00:00.000Z
       */
      stateSince: string;
      /**
       * Format: date-time
       * @description The first failure after the last success. Five days later the endpoint is disabled. null: none.
       * @example 2026-03-01T20:00:00.000Z
       */
      failingSince: string | null;
      /**
       * Format: date-time
       * @description The last successful delivery; null: none yet.
       * @example 2026-03-01T20:00:00.000Z
       */
      lastSuccessAt: string | null;
      /**
       * Format: int64
       * @description Upper bound for the outcomes, of all types, that have not been considered for this endpoint yet.
       */
      behind: number;
      /**
       * Format: int64
       * @description Deliveries that wait for their first or their next attempt, up to 1,000.
       */
      unfinished: number;
      /**
       * Format: int64
       * @description Of these, deliveries held back to be combined with later ones, up to 1,000.
       */
      heldBack: number;
      /**
       * Format: int64
       * @description Deliveries that were given up in the last 30 days, up to 1,000.
       */
      abandoned: number;
      /**
       * Format: date-time
       * @description Since when the oldest undelivered outcome has waited: since it happened or, in a replay or a resend, since that was requested. An outcome also waits while the endpoint is disabled. null: nothing waits, apart from what is held back.
       * @example 2026-03-01T20:00:00.000Z
       */
      oldestAt: string | null;
      /** @description Whether a replay is under way. */
      replaying: boolean;
      /**
       * Format: date-time
       * @description Until when the previous secret also signs; null: there is none.
       * @example 2026-03-01T20:00:00.000Z
       */
      rotatedUntil: string | null;
      /**
       * Format: date-time
       * @description When it was created; what happened before is not sent.
       * @example 2026-03-01T20:00:00.000Z
       */
      createdAt: string;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      createdBy: string | null;
      /**
       * @description What keeps the endpoint from getting its types: those that the configuration does not make.
       * @example [
       *       "points.changed is among the types, but the configuration does not make it: name it in outgoing.events"
       *     ]
       */
      warnings: string[];
      /**
       * @description The secret that signs the requests. Only this answer shows it.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
       */
      secret: string;
    };
    /** @description The session of the cookie. */
    CurrentSession: {
      /** @description null: nobody is signed in. */
      session: components['schemas']['ConsoleSession'] | null;
      /** @description Routes that this installation cannot answer, so that no page offers them; empty while nobody is signed in. */
      missing: components['schemas']['MissingRoutes'][];
    };
    /** @description The streak after an event; in the answer to a replay, as of now. */
    CurrentStreak: {
      /**
       * Format: int64
       * @description Periods in a row; 0 if no streak is alive.
       * @example 3
       */
      length: number;
      /**
       * @description How long a period is; `daily` if no streak is configured.
       * @enum {string}
       */
      frequency: 'daily' | 'weekly' | 'monthly';
      /**
       * Format: date
       * @description Date of the event that started it, in the user’s time zone; null if no streak is alive.
       * @example 2026-03-01
       */
      started: string | null;
      /**
       * Format: date
       * @description First date of the current period; null if there is none.
       * @example 2026-03-01
       */
      periodStart: string | null;
      /**
       * Format: date
       * @description Last date of the current period; null if there is none.
       * @example 2026-03-01
       */
      periodEnd: string | null;
      /**
       * Format: date
       * @description The last date, in the user’s time zone, on which the streak is alive; null if no streak is.
       * @example 2026-03-01
       */
      expires: string | null;
      /** @description Whether this event extended it. */
      extended: boolean;
      /**
       * Format: int64
       * @description Only with freezes configured: how many the user holds.
       */
      freezes?: number;
      /**
       * Format: int64
       * @description Only with freezes configured: how many a user may hold.
       */
      maxFreezes?: number;
      /**
       * Format: int64
       * @description Only with freezes configured: after how many days of 24 hours more are earned; null: none are earned.
       */
      freezeAutoEarnInterval?: number | null;
      /**
       * Format: int64
       * @description Only with freezes configured: how many are earned then; null: none.
       */
      freezeAutoEarnAmount?: number | null;
    };
    /** @description A user whose stored state cannot be read. Their events are refused with `state_damaged`. */
    DamagedUser: {
      /** @description The account. */
      account: string;
      /**
       * @description The user.
       * @example ada
       */
      userId: string;
      /** @description The area whose state it is; null: the whole row cannot be read. */
      area: components['schemas']['AreaName'] | null;
      /** @description What went wrong when it was read. */
      reason: string;
      /**
       * @description The command that repairs it.
       * @example laurel rebuild points
       */
      repair: string;
    };
    /** @description What all users did on a date. */
    DayCounts: {
      /**
       * Format: date
       * @description The date on each user’s own clock.
       * @example 2026-03-01
       */
      date: string;
      /**
       * Format: int64
       * @description Metric events of this date, of all configured metrics.
       */
      events: number;
      /**
       * Format: int64
       * @description Users with a metric event of this date, who had none of a later date before.
       */
      activeUsers: number;
      /**
       * Format: int64
       * @description Users who were created on this date.
       */
      newUsers: number;
      /** @description Metrics by key; absent: the metric had no event on this date. */
      metrics: {
        [key: string]: components['schemas']['MetricOfDay'];
      };
      /** @description Points systems by key; absent: nothing was awarded on this date. */
      points: {
        [key: string]: components['schemas']['PointsOfDay'];
      };
    };
    /** @description What all users did, by date. */
    Days: {
      /** @description Every requested date, oldest first. */
      days: components['schemas']['DayCounts'][];
    };
    /** @description A request to a webhook that concerns the user. */
    DeliveryOfUser: {
      /**
       * @description Its id, a number.
       * @example 4711
       */
      id: string;
      /**
       * Format: uuid
       * @description Id of the outcome: the header `webhook-id`.
       */
      outcome: string;
      /**
       * Format: int64
       * @description Sequence of the outcome.
       */
      sequence: number;
      /**
       * @description Type of the outcome.
       * @example achievement.completed
       */
      type: string;
      /** @description Whether it comes from a replay. */
      replay: boolean;
      /**
       * @description waiting: behind another one of its user, or for more to be sent with it. pending: not tried yet. failed: will be tried again. delivered. abandoned: given up.
       * @enum {string}
       */
      state: 'waiting' | 'pending' | 'failed' | 'delivered' | 'abandoned';
      /**
       * Format: int64
       * @description How often it was tried.
       */
      attempts: number;
      /**
       * Format: date-time
       * @description When it is tried next; null: not before another one, or never.
       * @example 2026-03-01T20:00:00.000Z
       */
      nextAttemptAt: string | null;
      /**
       * Format: date-time
       * @description When it was delivered or given up; null: neither.
       * @example 2026-03-01T20:00:00.000Z
       */
      finishedAt: string | null;
      /**
       * Format: int64
       * @description HTTP status of the latest answer; null: there was none.
       */
      status: number | null;
      /**
       * Format: int64
       * @description Duration of the latest attempt in milliseconds; null: there was none.
       */
      tookMs: number | null;
      /** @description The first KiB of the latest answer; null: there was none. */
      response: string | null;
      /** @description Why the latest attempt failed; null: it did not. */
      error: string | null;
      /**
       * Format: uuid
       * @description Id of the webhook.
       */
      webhook: string;
      /**
       * @description Where it is: scheme, host and port; the rest of its URL may be a secret.
       * @example https://example.com
       */
      origin: string;
      /** @description If it stands for several outcomes or was given up; null: it is that of `outcome`. */
      body: components['schemas']['OutcomeOfUser'] | null;
    };
    /** @description Equal digests mean equal stored values, whatever the order of writing. */
    Digest: {
      /**
       * Format: int64
       * @description Position of the log when the tables were read.
       */
      position: number;
      /** @description Release of the time zone database. Compare only digests of the same release. */
      tzDataVersion: string;
      /** @description A line for each area, and one for the history of ranks. */
      lines: components['schemas']['DigestLine'][];
    };
    /** @description The hash of an area. */
    DigestLine: {
      /**
       * @description An area, or `rank history`.
       * @example points
       */
      name: string;
      /**
       * Format: int64
       * @description Number of stored rows.
       */
      rows: number;
      /** @description Hash of everything that it has stored, in hexadecimal. */
      digest: string;
    };
    /** @description The webhook. */
    DisabledEndpoint: {
      /**
       * Format: uuid
       * @description Of the webhook.
       */
      id: string;
      /**
       * @description Scheme, host and port of its URL; its path may be a secret.
       * @example https://example.com
       */
      origin: string;
    };
    /** @description Something that an event caused. Which other fields it has depends on its `type`; see ARCHITECTURE.md. */
    Effect: {
      /**
       * @description What happened.
       * @example PointsAwarded
       */
      type: string;
      /**
       * @description The same in words, for people: amounts first, with the names that the configuration has for keys.
       * @example 500 xp for Bookworm, now 500
       */
      words: string;
    } & {
      [key: string]: unknown;
    };
    /** @description What the event caused for the user, without ranks. A halted area shows nothing yet. */
    EffectsByArea: {
      /** @description Of profile and totals, in the order in which they happened. */
      users: components['schemas']['Effect'][];
      /** @description Of the streak, in the order in which they happened. */
      streaks: components['schemas']['Effect'][];
      /** @description Of achievements, in the order in which they happened. */
      achievements: components['schemas']['Effect'][];
      /** @description Of points, in the order in which they happened. */
      points: components['schemas']['Effect'][];
    };
    /** @description A webhook was disabled, and outcomes wait for it. It is sent to the other webhooks. */
    EndpointDisabledOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'endpoint.disabled';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      endpoint: components['schemas']['DisabledEndpoint'];
      /**
       * @description Why the service disabled it; null: it was disabled by hand.
       * @example it answered with 410
       */
      reason: string | null;
      failure: components['schemas']['LastFailure'];
    };
    /** @description What erasing the user changes, or has changed. */
    Erasure: {
      /**
       * @description The user. This answer is the last one that names them.
       * @example ada
       */
      userId: string;
      /** @description False in a preview, which changes nothing. */
      erased: boolean;
      /** @description The id of the preview, to be sent with the erasure. It is valid for this user and these `boards`. */
      previewId: string;
      /**
       * @description What happens to the user’s places in runs that are not final.
       * @enum {string}
       */
      boards: 'remove' | 'anonymous';
      /**
       * Format: uuid
       * @description The id of the recorded event; null in a preview.
       */
      eventId: string | null;
      /**
       * Format: date-time
       * @description When it was recorded; null in a preview.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string | null;
      /** @description Every place that holds data of the user. */
      places: components['schemas']['ErasurePlace'][];
    };
    /** @description A place that holds data of the user, and what happens to that data. */
    ErasurePlace: {
      /**
       * @description The table; `laurel.outcomes` is the topic.
       * @example events
       */
      place: string;
      /**
       * Format: int64
       * @description Number of its rows that concern the user.
       * @example 12
       */
      rows: number;
      /**
       * @description `deleted`: the row is gone. `unreadable`: its personal fields are sealed under the key that is destroyed. `cleared`: the personal fields are taken out. `anonymous`: it stays under a number that leads to nobody. `off_the_board`: the value is 0, those below move up. `counted_down`: it counts one less. `compacted_away`: it gets a tombstone, and the topic drops both when it is compacted.
       * @enum {string}
       */
      becomes: 'deleted' | 'unreadable' | 'cleared' | 'anonymous' | 'off_the_board' | 'counted_down' | 'compacted_away';
    };
    /** @description What one event caused. */
    EventAnswer: {
      /**
       * Format: uuid
       * @description The metric.
       */
      metricId: string;
      /**
       * Format: uuid
       * @description The recorded event; of a replay, the original one.
       */
      eventId: string;
      /**
       * Format: double
       * @description The user’s total of the metric, this event included, exact to six decimals at any size; null only if `users` is pending.
       */
      total: number | null;
      /** @description Achievements that this event completed, in the order of completion. */
      achievements: components['schemas']['Achievement'][];
      /** @description The user’s streak after the event; null only if `streaks` is pending. */
      currentStreak: components['schemas']['CurrentStreak'] | null;
      /** @description The points systems in which a trigger fired, by key. */
      points: {
        [key: string]: components['schemas']['EventPoints'];
      };
      /** @description The leaderboards on which the event changed the user’s value, by key. */
      leaderboards: {
        [key: string]: components['schemas']['LeaderboardEventEntry'];
      };
      /** @description Present only if the answer is incomplete: the areas that have not applied the event yet. Their fields are null or empty; they catch up. */
      pending?: ('users' | 'streaks' | 'achievements' | 'points' | 'leaderboards')[];
      /** @description Only if a key was sent: true if it had been used before and nothing changed now. */
      idempotentReplayed?: boolean;
      /** @description Only if a key was sent: that key. */
      idempotencyKey?: string;
      /** @description Only of a replay whose event was retracted: the event counts for nothing, its key stays used. */
      retracted?: boolean;
    };
    /**
     * @description Recorded with the event. At most 50, keys of 1–255, values of at most 1,024 characters.
     * @example {
     *       "course": "spanish"
     *     }
     */
    EventAttributes: {
      [key: string]: string;
    };
    /** @description A points system in which an event fired a trigger. */
    EventPoints: {
      /**
       * Format: uuid
       * @description Id of the points system.
       */
      id: string;
      /**
       * @description Key of the points system.
       * @example xp
       */
      key: string;
      /**
       * @description Name to show.
       * @example Experience
       */
      name: string;
      /** @description Description to show; null if there is none. */
      description: string | null;
      /** @description Address of a picture; null if there is none. */
      badgeUrl: string | null;
      /**
       * Format: int64
       * @description No user’s total goes beyond this; null: there is no cap.
       */
      maxPoints: number | null;
      /**
       * Format: int64
       * @description The user’s total after the event.
       * @example 150
       */
      total: number;
      /**
       * Format: int64
       * @description Sum of `awards`; may be negative.
       * @example 10
       */
      added: number;
      /** @description Only if the event changed it: the new level; null if the total is below all levels. */
      level?: components['schemas']['PointsLevel'] | null;
      /** @description What the event itself gave or took, without time awards. */
      awards: components['schemas']['Award'][];
    };
    /** @description Dates on which a user need not do anything to keep the streak. */
    ExcusedGrantRequest: {
      /**
       * Format: date
       * @description The first date, on the user’s clock. It may lie in the past.
       * @example 2026-03-02
       */
      from: string;
      /**
       * Format: date
       * @description The last date: at most 366 with `from`.
       * @example 2026-03-03
       */
      to: string;
      /**
       * @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded, and erased with the user.
       * @example The lesson of 2 March was not counted.
       */
      reason: string;
    };
    /** @description Why a user has completed an achievement, or what is missing. */
    ExplainedAchievement: {
      /**
       * @description Key of the achievement.
       * @example profile
       */
      achievement: string;
      /**
       * @description What completes it, in the configuration in force.
       * @enum {string}
       */
      trigger: 'metric' | 'streak' | 'api' | 'achievement';
      /**
       * @description `met`: the condition is met, but no event has come since that could complete it, as after a publication; the next one that `completesWith` names does.
       * @enum {string}
       */
      status: 'completed' | 'open' | 'met';
      /**
       * Format: date-time
       * @description When it was completed; null: it is not completed.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string | null;
      /** @description The event that completed it; null: none. */
      event: components['schemas']['CausingEvent'] | null;
      /** @description The grant or correction that took it back after it was last completed; null: none. */
      revokedBy: components['schemas']['CausingEvent'] | null;
      /**
       * Format: int64
       * @description The configuration version of that event; null: it is not completed.
       * @example 1
       */
      version: number | null;
      /**
       * Format: double
       * @description The user’s progress: total of the metric, or length of the streak.
       * @example 7
       */
      have: number | null;
      /**
       * Format: double
       * @description The value that completes it.
       * @example 10
       */
      need: number | null;
      /**
       * Format: double
       * @description `need` − `have`.
       * @example 3
       */
      missing: number | null;
      /**
       * @description Keys of the achievements that must be completed first; null: it depends on no others.
       * @example [
       *       "first"
       *     ]
       */
      achievements: string[] | null;
      /** @description What can complete it next: an event of `metric`, an extension of the streak, the call, or a metric event or call; null: it is completed. */
      completesWith: ('metric_event' | 'streak_extension' | 'call' | 'any_event') | null;
      /**
       * @description Key of the metric that it depends on; null: none.
       * @example lessons
       */
      metric: string | null;
    };
    /** @description A trigger that fired, and what it gave. */
    ExplainedAward: {
      /**
       * Format: date-time
       * @description Instant of the event, or at which the time award fell due.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string;
      /**
       * Format: date
       * @description The date of `at` on the user’s clock then in force.
       * @example 2026-03-01
       */
      date: string;
      /**
       * @description The time zone of that clock.
       * @example Europe/Berlin
       */
      zone: string;
      /** @description The event, or the sweep, with which it was recorded. */
      event: components['schemas']['CausingEvent'];
      /** @description What gave the points: a trigger of this type, or a grant. */
      type: ('metric' | 'streak' | 'achievement' | 'user_creation' | 'time' | 'grant' | 'correction') | null;
      /** @description The trigger that fired, even if it has been removed since; null: it was a grant. */
      trigger: components['schemas']['Trigger'] | null;
      /**
       * Format: int64
       * @description How often it fired; null: see `complete`.
       * @example 2
       */
      times: number | null;
      /**
       * Format: int64
       * @description `times` × the trigger’s points: what it would have given; null: see `complete`.
       * @example 20
       */
      nominal: number | null;
      /**
       * Format: int64
       * @description Points given; negative: points taken.
       * @example 15
       */
      change: number;
      /** @description What cut `nominal` to `change`: `maxPoints`, or that no total is below zero. null: nothing. */
      cutBy: ('cap' | 'zero') | null;
      /**
       * Format: int64
       * @description The user’s total after it.
       * @example 340
       */
      total: number;
      /**
       * Format: int64
       * @description The configuration version under which the event was applied.
       * @example 1
       */
      version: number;
    };
    /** @description A recorded event, and what it caused. */
    ExplainedEvent: {
      /**
       * Format: uuid
       * @description The event’s id.
       */
      id: string;
      /**
       * @description The type of the recorded event.
       * @example MetricEventRecorded
       */
      type: string;
      /**
       * @description The event in words, for people, with the names that the configuration has for keys.
       * @example 3 Lessons
       */
      words: string;
      /**
       * Format: date-time
       * @description The event’s instant.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string;
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2026-03-01T20:00:00.000Z
       */
      recordedAt: string;
      /**
       * Format: int64
       * @description Its place in the log.
       * @example 42
       */
      position: number;
      /**
       * Format: int64
       * @description The configuration version under which the event was applied.
       * @example 1
       */
      version: number;
      /**
       * @description The user whom the event concerns; null: none, several, or one who was erased.
       * @example ada
       */
      userId: string | null;
      /**
       * @description Of a metric event: the metric’s key.
       * @example lessons
       */
      metric: string | null;
      /**
       * Format: double
       * @description Of a metric event: its value.
       * @example 3
       */
      value: number | null;
      /** @description What corrections have made of the event; null: it counts as it was recorded. */
      corrected: components['schemas']['CorrectionsOfEvent'] | null;
      /**
       * Format: int64
       * @description Number of users whom it concerns; 0: it concerns the whole account.
       * @example 1
       */
      users: number;
      /** @description What it caused, for each user in the order of the event. There may be fewer than `limit`: only `next` says whether others follow. An area that has halted is not in it yet. */
      caused: {
        /**
         * @description The user; null: erased.
         * @example ada
         */
        userId: string | null;
        /** @description In the order in which they happened; ranks last. */
        effects: components['schemas']['Effect'][];
        /**
         * Format: int64
         * @description How many effects on points come before the last 100, which are shown. `/admin/v1/users/{id}/explain/points/{key}/events/{eventId}` shows all.
         * @example 0
         */
        pointsLeftOut: number;
        /**
         * Format: int64
         * @description Ranks are shown of the first 50 runs that the event concerns, and of so many others not. `/admin/v1/users/{id}/explain/leaderboards/{key}?run=` shows those of any run.
         * @example 0
         */
        runsLeftOut: number;
      }[];
      /** @description Pass it as `cursor` for the next page; null: this is the last page. */
      next: string | null;
    };
    /** @description A period of a streak, and how far the user came in it. */
    ExplainedPeriod: {
      /**
       * Format: date
       * @description First date.
       * @example 2026-03-01
       */
      periodStart: string;
      /**
       * Format: date
       * @description Last date.
       * @example 2026-03-01
       */
      periodEnd: string;
      /**
       * @description `bridged`: a freeze was used. `skipped`: a change of the user’s time zone skipped it, or cut it short, so it counts as kept. `excused`: by hand, so it counts as kept. `open`: it is the current one, and not met yet.
       * @enum {string}
       */
      status: 'met' | 'bridged' | 'skipped' | 'excused' | 'missed' | 'open';
      /**
       * Format: int64
       * @description The streak’s length as of it; 0 unless it was kept.
       * @example 4
       */
      length: number;
      /**
       * Format: date-time
       * @description When it was met, or the freeze was used; null: neither, or see `complete`.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string | null;
      /**
       * Format: uuid
       * @description The event that met it, and so extended the streak; null: none did, or see `complete`.
       */
      eventId: string | null;
      /** @description As of the last metric event in the period; empty: there was none. null: see `complete`. */
      conditions:
        | {
            /**
             * @description Key of the metric.
             * @example lessons
             */
            metric: string;
            /**
             * Format: double
             * @description The user’s progress in this period.
             * @example 2
             */
            progress: number;
            /**
             * Format: double
             * @description The threshold of the condition, in the version of the last event.
             * @example 3
             */
            threshold: number;
          }[]
        | null;
    };
    /** @description Why a user has so many points. */
    ExplainedPoints: {
      /**
       * @description Key of the points system.
       * @example xp
       */
      pointsSystem: string;
      /**
       * @deprecated
       * @description The same as `pointsSystem`; it goes with the next release.
       * @example xp
       */
      system: string;
      /**
       * Format: int64
       * @description The user’s total as of now: `recorded` + `due`.
       * @example 340
       */
      total: number;
      /**
       * Format: int64
       * @description The sum of the changes of all entries, on all pages.
       * @example 340
       */
      recorded: number;
      /**
       * Format: int64
       * @description Time awards that have fallen due and are not recorded yet: the next event or sweep records them.
       * @example 0
       */
      due: number;
      /** @description true: the user’s events were applied again, and every firing is an entry, also one that gave nothing. false: the user has more than 500 events, or 5,000 effects on points, and they are not applied yet; entries are stored awards, and `times`, `nominal` and `cutBy` are null. */
      complete: boolean;
      /**
       * @description The user’s events are being applied in the background: ask again, and `complete` is true. false: it is complete, or never will be: the user has more than 250,000 events, or corrections that ask for too many of them again (specification, 9.17).
       * @example false
       */
      preparing: boolean;
      /** @description Newest first. There may be fewer than `limit`: only `next` says whether others follow. */
      entries: components['schemas']['ExplainedAward'][];
      /** @description Pass it as `cursor` for the next page; null: this is the last page. */
      next: string | null;
    };
    /** @description Why an event gave a user so many points, or none. */
    ExplainedPointsOfEvent: {
      /**
       * @description Key of the points system.
       * @example xp
       */
      pointsSystem: string;
      /**
       * @deprecated
       * @description The same as `pointsSystem`; it goes with the next release.
       * @example xp
       */
      system: string;
      event: components['schemas']['CausingEvent'];
      /**
       * Format: int64
       * @description The configuration version under which the event was applied.
       * @example 1
       */
      version: number;
      /** @description true: the user’s events were applied again. false: the user has many events, and they are not applied yet; `fired` are stored awards, and `missed` is null. */
      complete: boolean;
      /**
       * @description The user’s events are being applied in the background: ask again, and `complete` is true. false: it is complete, or never will be: the user has more than 250,000 events, or corrections that ask for too many of them again (specification, 9.17).
       * @example false
       */
      preparing: boolean;
      /**
       * Format: int64
       * @description What the event gave: the sum of `fired`.
       * @example 0
       */
      change: number;
      /** @description Triggers that fired, in their order, including those cut to nothing. */
      fired: components['schemas']['ExplainedAward'][];
      /** @description Triggers of that version that did not fire; null: see `complete`. */
      missed: components['schemas']['MissedTrigger'][] | null;
    };
    /** @description Why a user is where they are on a leaderboard. */
    ExplainedStanding: {
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      leaderboard: string;
      /**
       * @description Why the user is ranked or not. Only values above 0 are ranked, `maxParticipants` of them. `no_value`: nothing of the user counted in this run, see `uncounted`. `outside_dates`: the date asked for lies outside of `start` and `end`.
       * @enum {string}
       */
      status: 'ranked' | 'no_value' | 'not_positive' | 'beyond_max_participants' | 'not_begun' | 'outside_dates';
      /**
       * Format: date
       * @description First date of the leaderboard.
       * @example 2026-03-01
       */
      start: string;
      /**
       * Format: date
       * @description Last date of the leaderboard; null: it has none.
       * @example 2026-03-01
       */
      end: string | null;
      /** @description Of `no_value`: why nothing counted; retracted events and values of 0 are nothing. `nothing_recorded`: the user has nothing of what the leaderboard ranks by, so is no participant. `outside_run`: all that they have is dated outside of the run, on their own clock. `recorded_before`: they have something in the run from when the leaderboard was not published, or ranked by something else. `kept_off`: what they have in the run was given by hand and kept off the leaderboards. null: see `status`, or the user has more than 1,000 events, or corrections that change points or streaks. */
      uncounted: ('nothing_recorded' | 'outside_run' | 'recorded_before' | 'kept_off') | null;
      /**
       * Format: date
       * @description First date of the run; null: the leaderboard has not started.
       * @example 2026-03-01
       */
      runStart: string | null;
      /**
       * Format: date
       * @description Last date of the run; null: it has none.
       * @example 2026-03-01
       */
      runEnd: string | null;
      /**
       * Format: int64
       * @description The place; null: not ranked.
       * @example 3
       */
      rank: number | null;
      /**
       * Format: double
       * @description The user’s value; null: none in this run.
       * @example 9
       */
      value: number | null;
      /**
       * Format: int64
       * @description Maximum number of ranked users.
       * @example 1000
       */
      maxParticipants: number;
      /** @description If the leaderboard is full: its last place, which must be beaten. */
      lastRanked: components['schemas']['BoardPlace'] | null;
      /**
       * Format: double
       * @description If the user is beyond `maxParticipants`: how much more `lastRanked` has; 0: the same value, reached earlier. null: not beyond.
       * @example null
       */
      behindLast: number | null;
      /** @description The place above; null: none, or not ranked. */
      above: components['schemas']['NeighbouringPlace'] | null;
      /** @description The place below; null: none, or not ranked. */
      below: components['schemas']['NeighbouringPlace'] | null;
      /** @description What changed the value, newest first. The changes on all pages add up to `value`. */
      contributions: components['schemas']['Contribution'][];
      /** @description Pass it as `cursor` for the next page; null: this is the last page. */
      next: string | null;
    };
    /** @description Why a streak is as long as it is. */
    ExplainedStreak: {
      /**
       * Format: int64
       * @description The streak’s length as of now.
       * @example 4
       */
      length: number;
      /** @description true: the user’s events were applied again. false: the user has many events, and they are not applied yet; periods are the stored ones, and `at`, `conditions` and `ends` are null. */
      complete: boolean;
      /**
       * @description The user’s events are being applied in the background: ask again, and `complete` is true. false: it is complete, or never will be: the user has more than 250,000 events, or corrections that ask for too many of them again (specification, 9.17).
       * @example false
       */
      preparing: boolean;
      /** @description Newest first, from the user’s creation on. */
      periods: components['schemas']['ExplainedPeriod'][];
      /** @description When streaks ended, newest first, at most 20. */
      ends:
        | {
            /**
             * Format: date-time
             * @description The instant at which it ended, in UTC.
             * @example 2026-03-01T20:00:00.000Z
             */
            at: string;
            /**
             * @description What the clock of `zone` showed at that instant.
             * @example 2026-03-02T00:00:00.000
             */
            localTime: string;
            /**
             * Format: int64
             * @description The length that the streak had.
             * @example 4
             */
            length: number;
            /**
             * @description The user’s time zone at that time.
             * @example Europe/Berlin
             */
            zone: string;
          }[]
        | null;
      /** @description How the user’s clock changed, newest first, at most 20, whichever periods are asked for. The clock that the user was created with is no change. */
      zoneChanges: components['schemas']['ZoneChange'][];
    };
    /** @description A recorded award of points, user by user in their order. */
    ExportedAward: {
      /**
       * Format: uuid
       * @description Of the award; null: a time award of a user who was erased.
       */
      id: string | null;
      /**
       * Format: date-time
       * @description When it was given, or fell due.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string;
      /**
       * Format: date
       * @description That date on the user’s clock.
       * @example 2026-03-01
       */
      date: string;
      /**
       * @description The user; null: erased.
       * @example ada
       */
      userId: string | null;
      /**
       * @description Key of the points system.
       * @example xp
       */
      points: string;
      /** @description The trigger that gave it; `grant`: it was given by hand. */
      triggerId: string;
      /**
       * Format: int64
       * @description Points given; negative: points taken.
       * @example 10
       */
      awarded: number;
      /**
       * Format: int64
       * @description The user’s total after it.
       * @example 340
       */
      total: number;
    };
    /** @description A metric event, in the order of recording. */
    ExportedEvent: {
      /**
       * Format: uuid
       * @description Of the event.
       */
      id: string;
      /**
       * Format: date-time
       * @description The instant of the event.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: date-time
       * @description When it was recorded: later than `timestamp` if it was imported.
       * @example 2026-03-01T20:00:00.000Z
       */
      recordedAt: string;
      /**
       * @description The user; null: erased.
       * @example ada
       */
      userId: string | null;
      /**
       * @description Key of the metric.
       * @example lessons
       */
      metric: string;
      /**
       * Format: double
       * @description The value as it was sent.
       * @example 2.5
       */
      value: number;
      /**
       * @description The event’s attributes; in CSV as JSON.
       * @example {
       *       "course": "go"
       *     }
       */
      attributes: {
        [key: string]: string;
      };
      /** @description Whether the caller sent the instant, as imports do. */
      imported: boolean;
      /**
       * Format: int64
       * @description The version in force when it was recorded.
       */
      configurationVersion: number;
    };
    /** @description The profile, whole. */
    ExportedProfile: {
      /**
       * @description The caller’s own identifier of the user.
       * @example ada
       */
      id: string;
      /**
       * @description E-mail address; null if none was given.
       * @example ada@example.org
       */
      email: string | null;
      /**
       * @description Name to show; null if none was given.
       * @example Ada
       */
      name: string | null;
      /**
       * @description Zone of the user’s clock; null if none was given, which is UTC.
       * @example Europe/London
       */
      tz: string | null;
      /**
       * @description Whether the user wants e-mails, as it was last sent; true by default.
       * @example true
       */
      subscribeToEmails: boolean;
      /**
       * @description The user’s attributes.
       * @example {
       *       "plan": "pro"
       *     }
       */
      attributes: {
        [key: string]: string;
      };
      /**
       * Format: date-time
       * @description When the user was created, by whatever was recorded first for them.
       * @example 2026-03-01T20:00:00.000Z
       */
      created: string;
      /**
       * Format: date-time
       * @description When the profile last changed, without totals.
       * @example 2026-03-01T20:00:00.000Z
       */
      updated: string;
      /** @description Tokens of the user’s devices. */
      deviceTokens: string[];
      notifications: components['schemas']['NotificationPreferences'];
    };
    /** @description A ranked row of a run. */
    ExportedRanking: {
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      leaderboard: string;
      /**
       * Format: date
       * @description First date of the run.
       * @example 2026-03-01
       */
      run: string;
      /**
       * Format: date
       * @description Last date of the run; null: it has none.
       * @example 2026-03-01
       */
      runEnd: string | null;
      /**
       * Format: int64
       * @description The rank, from 1.
       */
      rank: number;
      /**
       * @description The user; null: erased.
       * @example ada
       */
      userId: string | null;
      /**
       * Format: double
       * @description The value that the user is ranked by.
       * @example 12.5
       */
      value: number;
      /**
       * Format: date-time
       * @description When the value was reached: of two equal values, the earlier one ranks first.
       * @example 2026-03-01T20:00:00.000Z
       */
      reachedAt: string;
    };
    /** @description The streak, with its whole history. */
    ExportedStreak: {
      /**
       * Format: int64
       * @description Length in periods; 0 if no streak is alive.
       */
      length: number;
      /**
       * Format: date
       * @description Null if none is alive.
       * @example 2026-03-01
       */
      started: string | null;
      /**
       * Format: date
       * @description The last date on which it can be extended.
       * @example 2026-03-01
       */
      expires: string | null;
      /**
       * Format: int64
       * @description Freezes that the user holds; null: freezes are not configured.
       */
      freezes: number | null;
      /** @description Periods met or bridged, oldest first. */
      periods: components['schemas']['KeptPeriod'][];
    };
    /** @description A row of a final run, with the user’s contact details. */
    ExportedWinner: {
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      leaderboard: string;
      /**
       * Format: date
       * @description First date of the run.
       * @example 2026-03-01
       */
      run: string;
      /**
       * Format: date
       * @description Last date of the run; null: it has none.
       * @example 2026-03-01
       */
      runEnd: string | null;
      /**
       * Format: int64
       * @description The rank, from 1.
       */
      rank: number;
      /**
       * @description The user; null: erased.
       * @example ada
       */
      userId: string | null;
      /**
       * @description Name to show; null: none.
       * @example Ada
       */
      name: string | null;
      /**
       * @description E-mail address; null: none.
       * @example ada@example.org
       */
      email: string | null;
      /**
       * Format: double
       * @description The value that the user is ranked by.
       * @example 12.5
       */
      value: number;
      /**
       * Format: date-time
       * @description When the value was reached: of two equal values, the earlier one ranks first.
       * @example 2026-03-01T20:00:00.000Z
       */
      reachedAt: string;
      /**
       * Format: date-time
       * @description When the run last changed after it was final; null: it has not.
       * @example 2026-03-01T20:00:00.000Z
       */
      changedAt: string | null;
    };
    /** @description Whether an import was ended. */
    FinishImportAnswer: {
      /** @description False if no import was open. */
      closed: boolean;
      /** @description Only in the distributed topology, if some areas have not yet applied everything recorded before this call: those areas. Call again to wait for them. */
      pending?: ('users' | 'streaks' | 'achievements' | 'points' | 'leaderboards')[];
    };
    /** @description Why an import is ended; may be left out altogether. */
    FinishImportRequest: {
      /** @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded. */
      reason?: string | null;
    };
    /** @description Freezes bridged periods that were not met. */
    FreezeConsumedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'streak.freeze_consumed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /**
       * Format: int64
       * @description How many.
       * @example 1
       */
      consumed: number;
      /**
       * Format: int64
       * @description How many the user holds now; absent if the release that applied the event did not report it.
       */
      freezes?: number;
    };
    /** @description A user earned freezes, or was given some. */
    FreezeEarnedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'streak.freeze_earned';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /**
       * Format: int64
       * @description How many.
       * @example 1
       */
      earned: number;
      /**
       * Format: int64
       * @description How many the user holds now.
       * @example 2
       */
      freezes: number;
    };
    /** @description Streak freezes given to a user by hand. */
    FreezesGrantRequest: {
      /**
       * Format: int64
       * @description Freezes to give. They never raise what the user holds above the configured maximum.
       * @example 1
       */
      amount: number;
      /**
       * @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded, and erased with the user.
       * @example The lesson of 2 March was not counted.
       */
      reason: string;
    };
    /** @description What a grant caused. */
    GrantAnswer: {
      /**
       * Format: uuid
       * @description The recorded event; of a replay, the original one.
       */
      eventId: string;
      /** @description Achievements that this event completed, in the order of completion. */
      achievements: components['schemas']['Achievement'][];
      /** @description The user’s streak after the event; null only if `streaks` is pending. */
      currentStreak: components['schemas']['CurrentStreak'] | null;
      /** @description The points systems in which a trigger fired, by key. */
      points: {
        [key: string]: components['schemas']['EventPoints'];
      };
      /** @description The leaderboards on which the event changed the user’s value, by key. */
      leaderboards: {
        [key: string]: components['schemas']['LeaderboardEventEntry'];
      };
      /** @description Present only if the answer is incomplete: the areas that have not applied the event yet. Their fields are null or empty; they catch up. */
      pending?: ('users' | 'streaks' | 'achievements' | 'points' | 'leaderboards')[];
      /** @description Only if a key was sent: true if it had been used before and nothing changed now. */
      idempotentReplayed?: boolean;
      /** @description Only if a key was sent: that key. */
      idempotencyKey?: string;
      /** @description Only of a replay whose event was retracted: the event counts for nothing, its key stays used. */
      retracted?: boolean;
    };
    /** @description Why a user did not get the grant, or why it changed nothing. */
    GrantIssue: {
      /**
       * @description The user whom the issue concerns.
       * @example ada
       */
      userId: string;
      /**
       * @description `error`: nothing was recorded for the user. `warning`: it was, and changed nothing.
       * @enum {string}
       */
      level: 'error' | 'warning';
      /**
       * @description What the issue is.
       * @example There is no user with this id.
       */
      reason: string;
    };
    /** @description The result of a grant for many users. */
    GrantToManyAnswer: {
      /**
       * Format: int64
       * @description Users for whom it was recorded.
       * @example 199
       */
      recorded: number;
      /**
       * Format: int64
       * @description Users for whom the key was used before.
       * @example 0
       */
      replayed: number;
      /** @description Users who got nothing, and why. */
      issues: components['schemas']['GrantIssue'][];
      /**
       * @description Of everybody: call again with this as `after`. null: that was all.
       * @example grace
       */
      next: string | null;
    };
    /** @description A grant for many users, or for everybody, a page at a time. */
    GrantToManyRequest: {
      /**
       * @description The kind of grant: excused days.
       * @constant
       */
      kind: 'excused';
      /**
       * Format: date
       * @description The first date, on the user’s clock. It may lie in the past.
       * @example 2026-03-02
       */
      from: string;
      /**
       * Format: date
       * @description The last date: at most 366 with `from`.
       * @example 2026-03-03
       */
      to: string;
      /**
       * @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded, and erased with the user.
       * @example The lesson of 2 March was not counted.
       */
      reason: string;
      /** @description Who gets it, at most 200. Absent: everybody, 200 users a call. */
      users?: string[] | null;
      /**
       * @description Of everybody, those behind this id: `next` of the call before. Absent: from the first.
       * @example ada
       */
      after?: string | null;
    };
    /** @description A configuration file that a start did not publish on its own. */
    HeldBackConfiguration: {
      /**
       * @description What its plan would do.
       * @example [
       *       "removes metrics"
       *     ]
       */
      reasons: string[];
      /**
       * Format: int64
       * @description Number of changes in its plan; the service’s log lists them.
       */
      changes: number;
    };
    /** @description A user to create or to update. Absent fields stay as they were; null removes a name or an e-mail address, and sets `tz` back to UTC. */
    IdentifyRequest: {
      id: components['schemas']['UserId'];
      /**
       * @description Name to show.
       * @example Ada
       */
      name?: string | null;
      /**
       * @description E-mail address.
       * @example ada@example.org
       */
      email?: string | null;
      /**
       * @description The user’s clock, on which streaks, points and leaderboards are dated: an IANA time zone spelled as there, or `UTC`. It is taken over before the event counts.
       * @example Europe/Berlin
       */
      tz?: string | null;
      /**
       * @description Whether the user wants e-mails; true by default.
       * @example true
       */
      subscribeToEmails?: boolean | null;
      /** @description Tokens of the user’s devices. They replace those sent before; no answer shows them. */
      deviceTokens?: string[] | null;
      /** @description Merged by key; null removes a key. The user has at most 50 after it. */
      attributes?: components['schemas']['AttributeChanges'] | null;
    };
    /** @description The import that is open. */
    ImportAnswer: {
      /** @description False if an import with these options was already open. */
      opened: boolean;
      /** @description The option in force. */
      unboundedAwards: boolean;
      /** @description The option in force. */
      outgoing: boolean;
    };
    /** @description An import was closed. */
    ImportFinishedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'import.finished';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The runs that changed after they were final, newest first, at most 100: read them again. `leaderboard.finished` is not sent again. Absent if an earlier release made the outcome. */
      finalRuns?: components['schemas']['ChangedFinalRun'][];
      /**
       * Format: int64
       * @description How many more such runs there are.
       * @example 0
       */
      finalRunsLeftOut?: number;
    };
    /** @description The options of an import. */
    ImportRequest: {
      /** @description Whether a line may owe a new user more than 50,000 time awards. They are all given before the user’s next event; absent: false. */
      unboundedAwards?: boolean;
      /** @description Whether imported events make outcomes, as live ones do; absent: false. */
      outgoing?: boolean;
      /** @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded. */
      reason?: string | null;
    };
    /** @description A period met or bridged. */
    KeptPeriod: {
      /**
       * Format: date
       * @description First date of the period.
       * @example 2026-03-01
       */
      periodStart: string;
      /**
       * Format: int64
       * @description Length of the streak in this period.
       */
      length: number;
    };
    /** @description The former name of `queue`, which ends with the next release. */
    LaneStatus: {
      /**
       * @description `open`: it records. `waiting`: the database cannot be reached, requests wait for it. `down`: they are refused at once. `fenced`: another process has taken over, for good. `closed`: the service is stopping.
       * @enum {string}
       */
      state: 'open' | 'waiting' | 'down' | 'fenced' | 'closed';
      /**
       * Format: int64
       * @description Requests that have been accepted and not yet answered.
       */
      waiting: number;
      /**
       * Format: int64
       * @description Milliseconds for which they have waited without any answer.
       */
      stalledMs: number;
    };
    /** @description The attempt that failed last; null: it was disabled by hand. */
    LastFailure: {
      /**
       * Format: int64
       * @description Status of the answer; null: there was none.
       */
      status: number | null;
      /**
       * @description What kind of failure it was; it names no address.
       * @example was answered with 410
       */
      error: string;
    } | null;
    /** @description A leaderboard with the rankings of one run. */
    Leaderboard: {
      /**
       * Format: uuid
       * @description Stays the same whenever the configuration is published again.
       */
      id: string;
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      key: string;
      /**
       * @description Name to show.
       * @example This week
       */
      name: string;
      /** @description Description to show; null if there is none. */
      description: string | null;
      /**
       * @description What users are ranked by: a sum of a metric’s values, of a points system’s awards, or their streak.
       * @enum {string}
       */
      rankBy: 'metric' | 'points' | 'streak';
      /** @description Key of the metric; null unless ranked by one. */
      metricKey: string | null;
      /** @description Name of the metric; null unless ranked by one. */
      metricName: string | null;
      /** @description Key of the points system; null unless ranked by one. */
      pointsSystemKey: string | null;
      /** @description Name of the points system; null unless ranked by one. */
      pointsSystemName: string | null;
      /** @description Unit of a run’s length; null: there is a single run. */
      runUnit: ('day' | 'month' | 'year') | null;
      /**
       * Format: int64
       * @description Length of a run in units; 0: there is a single run.
       */
      runInterval: number;
      /**
       * Format: int64
       * @description Maximum number of ranked users. Users beyond it have a value but no rank.
       */
      maxParticipants: number;
      /**
       * Format: date
       * @description The first date on which anything counts.
       * @example 2026-03-01
       */
      start: string;
      /**
       * Format: date
       * @description The last date on which anything counts; null: there is none.
       * @example 2026-03-01
       */
      end: string | null;
      /** @description Always null. */
      breakdownAttribute: string | null;
      /** @description Always empty. */
      breakdownAttributes: unknown[];
      /** @description Always empty. */
      userAttributes: unknown[];
      /** @description Always null. */
      startTime: string | null;
      /** @description Always null. */
      endTime: string | null;
      /**
       * @description `scheduled` before `start` (UTC), `finished` 12 hours after `end` is over in UTC, else `active`.
       * @enum {string}
       */
      status: 'scheduled' | 'active' | 'finished';
      /**
       * Format: date
       * @description First date of the run that is shown; null: the leaderboard has not started.
       * @example 2026-03-01
       */
      runStart: string | null;
      /**
       * Format: date
       * @description Last date of that run, at most that of the leaderboard; null: it has none, or the leaderboard has not started.
       * @example 2026-03-01
       */
      runEnd: string | null;
      /**
       * Format: date-time
       * @description When the run last changed after it was final: when the import, the correction or the sweep that changed it was recorded; null: it has not.
       * @example 2026-03-01T20:00:00.000Z
       */
      changedAt: string | null;
      /** @description The requested rows, best first. Users with 0 or less are not ranked. */
      rankings: components['schemas']['Ranking'][];
    };
    /** @description Somebody moved within the first ranks of a run. */
    LeaderboardChangedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'leaderboard.changed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The leaderboard with its first `outgoing.announceTop` rankings. */
      leaderboard: components['schemas']['OutcomeRankings'];
    };
    /** @description A leaderboard on which an event changed the user’s value. */
    LeaderboardEventEntry: {
      /**
       * Format: uuid
       * @description Stays the same whenever the configuration is published again.
       */
      id: string;
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      key: string;
      /**
       * @description Name to show.
       * @example This week
       */
      name: string;
      /** @description Description to show; null if there is none. */
      description: string | null;
      /**
       * @description What users are ranked by: a sum of a metric’s values, of a points system’s awards, or their streak.
       * @enum {string}
       */
      rankBy: 'metric' | 'points' | 'streak';
      /** @description Key of the metric; null unless ranked by one. */
      metricKey: string | null;
      /** @description Name of the metric; null unless ranked by one. */
      metricName: string | null;
      /** @description Key of the points system; null unless ranked by one. */
      pointsSystemKey: string | null;
      /** @description Name of the points system; null unless ranked by one. */
      pointsSystemName: string | null;
      /** @description Unit of a run’s length; null: there is a single run. */
      runUnit: ('day' | 'month' | 'year') | null;
      /**
       * Format: int64
       * @description Length of a run in units; 0: there is a single run.
       */
      runInterval: number;
      /**
       * Format: int64
       * @description Maximum number of ranked users. Users beyond it have a value but no rank.
       */
      maxParticipants: number;
      /**
       * Format: date
       * @description First date of the run that holds the event.
       * @example 2026-03-01
       */
      start: string;
      /**
       * Format: date
       * @description Last date of the run that holds the event, at most that of the leaderboard; null: it has none.
       * @example 2026-03-01
       */
      end: string | null;
      /** @description Always null. */
      breakdownAttribute: string | null;
      /** @description Always empty. */
      breakdownAttributes: unknown[];
      /** @description Always empty. */
      userAttributes: unknown[];
      /** @description Always null. */
      startTime: string | null;
      /** @description Always null. */
      endTime: string | null;
      /**
       * Format: double
       * @description If the leaderboard is full, the value to surpass to be ranked; else 0.
       */
      threshold: number;
      /**
       * Format: int64
       * @description The user’s rank directly before the event; 1 is the top. Null: not ranked.
       */
      previousRank: number | null;
      /**
       * Format: int64
       * @description The user’s rank directly after the event; 1 is the top. Null: not ranked.
       */
      rank: number | null;
    };
    /** @description A run of a leaderboard has ended in every zone: these are its winners. */
    LeaderboardFinishedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'leaderboard.finished';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The leaderboard with the first 100 rankings of the run. */
      leaderboard: components['schemas']['OutcomeRankings'];
    };
    /** @description A run of a leaderboard. */
    LeaderboardRun: {
      /**
       * Format: date
       * @description First date of the run.
       * @example 2026-03-01
       */
      start: string;
      /**
       * Format: date
       * @description Last date of the run, at most that of the leaderboard; null: it has none.
       * @example 2026-03-01
       */
      end: string | null;
      /**
       * Format: int64
       * @description Users with a value above 0; at most `maxParticipants` of them are ranked.
       */
      participants: number;
      /** @description Whether its last date is over in every time zone, so that no live event changes it. */
      final: boolean;
      /**
       * Format: date-time
       * @description When the run last changed after it was final: when the import, the correction or the sweep that changed it was recorded; null: it has not.
       * @example 2026-03-01T20:00:00.000Z
       */
      changedAt: string | null;
    };
    /** @description A page of the runs of a leaderboard. */
    LeaderboardRunPage: {
      /** @description Newest first, from the one that started last in any time zone. */
      runs: components['schemas']['LeaderboardRun'][];
      /** @description Pass it as `cursor` for the next page; null: this is the last page. */
      next: string | null;
    };
    /** @description A run of a leaderboard has begun. */
    LeaderboardStartedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'leaderboard.started';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The leaderboard with the first 100 rankings of the run. */
      leaderboard: components['schemas']['OutcomeRankings'];
    };
    /** @description A user’s level in a points system changed. */
    LevelChangedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'points.level_changed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description The system, as in `points.changed`. */
      points: components['schemas']['EventPoints'];
      /** @description Null: below all levels, or a level that no longer exists. */
      previousLevel: components['schemas']['PointsLevel'] | null;
      /** @description Null: below all levels. */
      newLevel: components['schemas']['PointsLevel'] | null;
    };
    /** @description A user on a level. */
    LevelUser: {
      /**
       * @description The user on the level.
       * @example ada
       */
      userId: string;
      /**
       * Format: date-time
       * @description When the user reached the level.
       * @example 2026-03-01T20:00:00.000Z
       */
      reachedAt: string;
    };
    /** @description A page of users on a level, newest first. */
    LevelUserPage: {
      /** @description Newest first. There may be fewer than `limit`. */
      users: components['schemas']['LevelUser'][];
      /** @description Pass it as `cursor` for the next page; null: this is the last page. */
      next: string | null;
    };
    /** @description Number of users on a level. */
    LevelUsers: {
      /** @description The level. */
      level: components['schemas']['PointsLevel'];
      /**
       * Format: int64
       * @description Number of users on this level, by recorded totals.
       * @example 12
       */
      users: number;
    };
    /** @description An achievement, and how many users completed it. */
    ListedAchievement: {
      /**
       * Format: uuid
       * @description Stays the same whenever the configuration is published again.
       */
      id: string;
      /**
       * @description Its key in the configuration. Calls that complete an achievement with the trigger `api` name this key.
       * @example profile
       */
      key: string;
      /**
       * @description What completes it: a total (`metric`), an extension of the streak (`streak`), a call (`api`), or other achievements (`achievement`).
       * @enum {string}
       */
      trigger: 'metric' | 'streak' | 'api' | 'achievement';
      /**
       * Format: uuid
       * @description The metric; null unless the trigger is `metric`.
       */
      metricId: string | null;
      /**
       * @description Name of the metric; null unless the trigger is `metric`.
       * @example Lessons
       */
      metricName: string | null;
      /**
       * Format: double
       * @description The total that completes it; null unless the trigger is `metric`.
       * @example 10
       */
      metricValue: number | null;
      /**
       * Format: int64
       * @description Only with trigger `streak`: the length that completes it.
       */
      streakLength?: number;
      /** @description Only with trigger `achievement`: the achievements that together complete it. */
      achievementIds?: string[];
      /**
       * @description Name to show.
       * @example First lesson
       */
      name: string;
      /** @description Description to show; null if there is none. */
      description: string | null;
      /**
       * @description Address of a picture; null if there is none.
       * @example https://example.org/first.png
       */
      badgeUrl: string | null;
      /**
       * Format: date-time
       * @description Instant of the event that completed it; null if it is not complete, or of no user.
       * @example 2026-03-01T20:00:00.000Z
       */
      achievedAt: string | null;
      /** @description Always empty. */
      userAttributes: unknown[];
      /**
       * Format: int64
       * @description How many users completed it.
       */
      completions: number;
      /**
       * Format: double
       * @description Percentage of the account’s users who completed it, with two decimals; 0 without users.
       * @example 33.33
       */
      rarity: number;
    };
    /** @description A leaderboard without its rankings. */
    ListedLeaderboard: {
      /**
       * Format: uuid
       * @description Stays the same whenever the configuration is published again.
       */
      id: string;
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      key: string;
      /**
       * @description Name to show.
       * @example This week
       */
      name: string;
      /** @description Description to show; null if there is none. */
      description: string | null;
      /**
       * @description What users are ranked by: a sum of a metric’s values, of a points system’s awards, or their streak.
       * @enum {string}
       */
      rankBy: 'metric' | 'points' | 'streak';
      /** @description Key of the metric; null unless ranked by one. */
      metricKey: string | null;
      /** @description Name of the metric; null unless ranked by one. */
      metricName: string | null;
      /** @description Key of the points system; null unless ranked by one. */
      pointsSystemKey: string | null;
      /** @description Name of the points system; null unless ranked by one. */
      pointsSystemName: string | null;
      /** @description Unit of a run’s length; null: there is a single run. */
      runUnit: ('day' | 'month' | 'year') | null;
      /**
       * Format: int64
       * @description Length of a run in units; 0: there is a single run.
       */
      runInterval: number;
      /**
       * Format: int64
       * @description Maximum number of ranked users. Users beyond it have a value but no rank.
       */
      maxParticipants: number;
      /**
       * Format: date
       * @description The first date on which anything counts.
       * @example 2026-03-01
       */
      start: string;
      /**
       * Format: date
       * @description The last date on which anything counts; null: there is none.
       * @example 2026-03-01
       */
      end: string | null;
      /** @description Always null. */
      breakdownAttribute: string | null;
      /** @description Always empty. */
      breakdownAttributes: unknown[];
      /** @description Always empty. */
      userAttributes: unknown[];
      /** @description Always null. */
      startTime: string | null;
      /** @description Always null. */
      endTime: string | null;
      /**
       * @description `scheduled` before `start` (UTC), `finished` 12 hours after `end` is over in UTC, else `active`.
       * @enum {string}
       */
      status: 'scheduled' | 'active' | 'finished';
    };
    /** @description An event of a user and what it caused, in the live feed. */
    LiveEvent: {
      /**
       * Format: uuid
       * @description The event’s id. `/admin/v1/events/{eventId}` shows everything that it caused.
       */
      id: string;
      /**
       * @description The type of the recorded event. `UsersSwept`: only time had passed.
       * @enum {string}
       */
      type:
        | 'MetricEventRecorded'
        | 'UserIdentified'
        | 'AchievementCompletedByCall'
        | 'GrantRecorded'
        | 'CorrectionRecorded'
        | 'UserErased'
        | 'UsersSwept';
      /**
       * @description The event in words, for people, with the names that the configuration has for keys.
       * @example 3 Lessons
       */
      words: string;
      /**
       * Format: date-time
       * @description The event’s instant.
       * @example 2026-03-01T20:00:00.000Z
       */
      occurredAt: string;
      /**
       * Format: date-time
       * @description When it was recorded; for an imported event, this may be long after its instant.
       * @example 2026-03-01T20:00:00.000Z
       */
      recordedAt: string;
      /**
       * Format: int64
       * @description The configuration version under which it was applied.
       * @example 1
       */
      version: number;
      /**
       * @description Of a metric event: the metric’s key.
       * @example lessons
       */
      metric?: string;
      /**
       * Format: double
       * @description Of a metric event: its value.
       * @example 3
       */
      value?: number;
      /**
       * @description Of a metric event: its attributes.
       * @example {
       *       "course": "greek"
       *     }
       */
      attributes?: {
        [key: string]: string;
      };
      /** @description Of a metric event: whether the caller sent the instant, as imports do. */
      imported?: boolean;
      /**
       * @description Of a completion by call: key of the achievement.
       * @example profile
       */
      achievement?: string;
      /** @description Of a grant: what was granted. */
      grant?: {
        /**
         * @description What was granted.
         * @enum {string}
         */
        kind: 'points' | 'freezes' | 'streak' | 'excused' | 'achievement' | 'revocation';
        /**
         * @description Key of the points system.
         * @example xp
         */
        pointsSystem?: string;
        /**
         * @deprecated
         * @description The same as `pointsSystem`; it goes with the next release.
         * @example xp
         */
        system?: string;
        /**
         * Format: int64
         * @description Points or freezes to give; negative: points to take.
         * @example 50
         */
        amount?: number;
        /** @description Of points: whether they count on leaderboards. */
        boards?: boolean;
        /**
         * Format: date
         * @description Of excused days: the first date.
         * @example 2026-03-01
         */
        from?: string;
        /**
         * Format: date
         * @description Of excused days: the last date.
         * @example 2026-03-01
         */
        to?: string;
        /**
         * @description Of an achievement and a revocation: key of the achievement.
         * @example profile
         */
        achievement?: string;
      };
      /** @description Of a correction: what it corrects. */
      correction?: components['schemas']['RecordedCorrection'];
      /** @description Of a grant or a correction: who did it. */
      by?: string | null;
      /** @description Of a grant or a correction: why. */
      reason?: string | null;
      effects: components['schemas']['EffectsByArea'];
      /**
       * Format: int64
       * @description How many effects on points come before the last 100, which are shown. `/admin/v1/users/{id}/explain/points/{key}/events/{eventId}` shows all.
       * @example 0
       */
      pointsLeftOut: number;
      /**
       * @description Whose event it is; null: the user has been erased.
       * @example ada
       */
      userId: string | null;
    };
    /** @description What was recorded since the message before. */
    LiveEvents: {
      /** @description In the order in which they were recorded: at most 50. */
      events: components['schemas']['LiveEvent'][];
      /**
       * Format: int64
       * @description Number of earlier events that were left out.
       * @example 0
       */
      skipped: number;
    };
    /** @description The hash of the log. */
    LogHead: {
      /**
       * Format: int64
       * @description Number of records that it covers.
       */
      size: number;
      /**
       * @description The root of the Merkle tree over them (RFC 6962, section 2.1).
       * @example 5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328
       */
      root: string;
      /**
       * Format: int64
       * @description Position of the last record that it covers; 0: none.
       */
      position: number;
      /** @description The proof that the log begins with what it held at `since` records (RFC 6962, section 2.1.2); null without `since`. */
      consistency: string[] | null;
    };
    /** @description The proof that an event is in the log. */
    LogProof: {
      /**
       * Format: uuid
       * @description The id of the event.
       */
      eventId: string;
      /**
       * Format: int64
       * @description Its position.
       */
      position: number;
      /**
       * Format: int64
       * @description Its place among the leaves of the tree, from 0.
       */
      index: number;
      /** @description The text that its hash covers: a JSON array of its stored fields, with personal fields as they are sealed. */
      record: string;
      /** @description The proof that the record is in the tree (RFC 6962, section 2.1.1). */
      path: string[];
      /** @description The tree that the proof is for. */
      head: {
        /**
         * Format: int64
         * @description Number of records that it covers.
         */
        size: number;
        /**
         * @description The root of the Merkle tree over them (RFC 6962, section 2.1).
         * @example 5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328
         */
        root: string;
      };
    };
    /** @description An event of the log as a CloudEvent. */
    LoggedCloudEvent: {
      /**
       * @description The version of CloudEvents.
       * @constant
       */
      specversion: '1.0';
      /**
       * Format: uuid
       * @description That of the event.
       */
      id: string;
      /**
       * @description The account.
       * @example /accounts/default
       */
      source: string;
      /**
       * @description The type of the event.
       * @example laurel.recorded.MetricEventRecorded.v1
       */
      type: string;
      /** @description The id of the user; absent: erased, or no single one. */
      subject?: string;
      /**
       * Format: date-time
       * @description The instant of the event.
       * @example 2026-03-01T20:00:00.000Z
       */
      time: string;
      /**
       * @description The format of `data`.
       * @constant
       */
      datacontenttype: 'application/json';
      /** @description The event. */
      data: components['schemas']['LoggedEvent'];
    };
    /** @description An event of the log. */
    LoggedEvent: {
      /**
       * Format: uuid
       * @description Of the event.
       */
      id: string;
      /**
       * @description Of the recorded event.
       * @example MetricEventRecorded
       * @enum {string}
       */
      type:
        | 'MetricEventRecorded'
        | 'UserIdentified'
        | 'AchievementCompletedByCall'
        | 'GrantRecorded'
        | 'CorrectionRecorded'
        | 'UserErased'
        | 'UsersSwept'
        | 'ImportOpened'
        | 'ImportClosed'
        | 'ConfigurationPublished'
        | 'ApiKeyCreated'
        | 'ApiKeyRevoked'
        | 'WebhookChanged'
        | 'LeaderboardRunStarted'
        | 'LeaderboardRunEnded';
      /**
       * Format: date-time
       * @description The instant of the event.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2026-03-01T20:00:00.000Z
       */
      recordedAt: string;
      /**
       * @description The user; null: erased, or the event concerns no single user.
       * @example ada
       */
      userId: string | null;
      /**
       * Format: int64
       * @description The version in force when it was recorded.
       */
      configurationVersion: number;
      /**
       * @description Everything else that the log holds of the event, except documents; for a sweep, how many `users` it settled. `personal` holds what names or describes the user, and is gone once they are erased.
       * @example {
       *       "metric": "lessons",
       *       "value": "2.5"
       *     }
       */
      details: {
        [key: string]: unknown;
      };
    };
    /** @description A user’s metric in one day, week or month. */
    MetricBucket: {
      /**
       * Format: date
       * @description First date of the period, or `start_date` if that is later.
       * @example 2026-03-01
       */
      date: string;
      /**
       * Format: double
       * @description The user’s total at the end of the period.
       * @example 12.5
       */
      total: number;
      /**
       * Format: double
       * @description Sum of the values of the events within the period; may be negative.
       * @example 2.5
       */
      change: number;
    };
    /** @description One event of one user. It happens when it is received: only an import brings its own instant as `timestamp`. A field that is not named here is ignored, unless it is close to one that is. */
    MetricEventRequest: {
      /** @description The user. */
      user: components['schemas']['NamedUser'];
      /**
       * Format: double
       * @description What the event adds to the metric, rounded to six decimals (half away from zero). Zero and negative values are fine.
       * @example 1
       */
      value: number;
      /** @description The event’s attributes, recorded with it; null: none. */
      attributes?: components['schemas']['EventAttributes'] | null;
      /**
       * @description The same as the header `Idempotency-Key`. If both are given they must be equal; null: none.
       * @example lesson-42
       */
      idempotencyKey?: string | null;
    };
    /** @description One metric on one date. */
    MetricOfDay: {
      /**
       * Format: int64
       * @description Its events.
       */
      events: number;
      /**
       * Format: double
       * @description The sum of their values.
       * @example 42
       */
      value: number;
    };
    /** @description A trigger that gave nothing with an event, and why. */
    MissedTrigger: {
      /** @description The trigger, even if it has been removed since. */
      trigger: components['schemas']['Trigger'] | null;
      /**
       * @description `below_threshold`: the sum has not reached the next multiple of the threshold. `other_event`: it is no event of this metric. `streak_not_extended`: it did not extend the streak. `streak_length`: it extended the streak, but not to a multiple of the length. `achievement_not_completed`: it did not complete the achievement, which may be complete since before. `user_not_new`: it did not create the user. `not_due`: nothing fell due since the event before. `no_room`: when it fell due, the total was at the cap, or at zero.
       * @enum {string}
       */
      why:
        | 'below_threshold'
        | 'other_event'
        | 'streak_not_extended'
        | 'streak_length'
        | 'achievement_not_completed'
        | 'user_not_new'
        | 'not_due'
        | 'no_room';
      /**
       * Format: double
       * @description Of `below_threshold` how much of the metric, of `streak_length` how many periods are missing; null: of others.
       * @example 2
       */
      missing: number | null;
    };
    /** @description Routes that no process of this installation can answer. */
    MissingRoutes: {
      /**
       * @description The prefix of their paths.
       * @example /admin/v1/webhooks
       */
      path: string;
      /** @description Why they are refused with `not_in_this_topology`. */
      reason: string;
    };
    /** @description A user, created or updated by being named; fields that are absent or null stay as they were. */
    NamedUser: {
      id: components['schemas']['UserId'];
      /**
       * @description Name to show.
       * @example Ada
       */
      name?: string | null;
      /**
       * @description E-mail address.
       * @example ada@example.org
       */
      email?: string | null;
      /**
       * @description The user’s clock, on which streaks, points and leaderboards are dated: an IANA time zone spelled as there, or `UTC`. It is taken over before the event counts.
       * @example Europe/Berlin
       */
      tz?: string | null;
      /**
       * @description Whether the user wants e-mails; true by default.
       * @example true
       */
      subscribeToEmails?: boolean | null;
      /** @description Tokens of the user’s devices. They replace those sent before; no answer shows them. */
      deviceTokens?: string[] | null;
      /** @description Merged by key; null removes a key. The user has at most 50 after it. */
      attributes?: components['schemas']['AttributeChanges'] | null;
    };
    /** @description The place next to the user’s, and what decides the order of the two. */
    NeighbouringPlace: {
      /**
       * @description The user; null: erased.
       * @example ada
       */
      userId: string | null;
      /**
       * Format: int64
       * @description The place.
       * @example 2
       */
      rank: number;
      /**
       * Format: double
       * @description The value.
       * @example 12
       */
      value: number;
      /**
       * @description What puts it there: its value, or, as both have the same, that one was reached earlier: by its instant, then by the order of recording.
       * @enum {string}
       */
      decidedBy: 'value' | 'reached_first';
    };
    /** @description The key to create. Unknown fields are refused. */
    NewKeyRequest: {
      /** @description A label for the key, such as the name of the backend that uses it. */
      label: string;
      /**
       * @description The scopes that it grants.
       * @example [
       *       "ingest",
       *       "read"
       *     ]
       */
      scopes: components['schemas']['Scope'][];
      /**
       * Format: date-time
       * @description When the key expires; must be in the future. Absent: never.
       */
      expiresAt?: string | null;
      /**
       * Format: int64
       * @description Requests per minute that the key may make; absent: no limit.
       */
      requestsPerMinute?: number | null;
      /** @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded. */
      reason?: string | null;
    };
    /** @description An endpoint to create. */
    NewWebhookRequest: {
      /**
       * @description The URL that outcomes are sent to: https, a public address, without user name and password.
       * @example https://example.com/laurel
       */
      url: string;
      /** @description The types of outcomes that are sent; null: all. */
      types?: string[] | null;
      /**
       * @description A description, for people.
       * @example mail
       */
      description?: string;
      /**
       * @description user: the outcomes of a user come in order, and one that fails holds back only those of its user. strict: all come in order, one at a time.
       * @enum {string}
       */
      ordering?: 'user' | 'strict';
      /** @description Whether `X-Trophy-Signature` is sent as well: base64 of the HMAC-SHA256 of the body by the secret. */
      trophySignature?: boolean;
      /**
       * Format: int64
       * @description Seconds in which `points.changed`, `leaderboard.rank_changed` and `leaderboard.changed` are sent at most once for each user and subject; 0: each of them is sent. With `strict` ordering each is.
       * @example 900
       */
      minimumInterval?: number;
    };
    /** @description The service is not ready; an error, as `application/problem+json`. */
    NotReady: {
      /**
       * @description Where the error is explained: a page of this service, relative to its address.
       * @example /docs/errors#unknown_metric
       */
      type: string;
      /**
       * @description The code in a few words.
       * @example Unknown metric
       */
      title: string;
      /**
       * Format: int64
       * @description The HTTP status.
       * @example 404
       */
      status: number;
      /**
       * @description What was refused and why, in a plain sentence.
       * @example There is no metric 'lesons' (did you mean 'lessons'?).
       */
      detail: string;
      /**
       * @description The same as `detail`.
       * @example There is no metric 'lesons' (did you mean 'lessons'?).
       */
      error: string;
      /**
       * @description The code, for programs.
       * @enum {string}
       */
      code:
        | 'unknown_path'
        | 'method_not_allowed'
        | 'unauthorized'
        | 'forbidden'
        | 'rate_limited'
        | 'unsupported_media_type'
        | 'body_too_large'
        | 'malformed_body'
        | 'malformed_request'
        | 'request_timeout'
        | 'expectation_failed'
        | 'headers_too_large'
        | 'unknown_metric'
        | 'unknown_user'
        | 'unknown_achievement'
        | 'unknown_points_system'
        | 'unknown_level'
        | 'unknown_leaderboard'
        | 'unknown_run'
        | 'unknown_rebuild'
        | 'unknown_verification'
        | 'unknown_configuration'
        | 'unknown_key'
        | 'unknown_session'
        | 'unknown_event'
        | 'unknown_webhook'
        | 'unknown_delivery'
        | 'cursor_expired'
        | 'invalid_request'
        | 'import_open'
        | 'stale_preview'
        | 'stale_plan'
        | 'not_in_this_topology'
        | 'overloaded'
        | 'unavailable'
        | 'starting'
        | 'outcome_unknown'
        | 'state_damaged'
        | 'internal';
      /** @description Only with `invalid_request`: everything that is wrong, not only the first. */
      errors?: components['schemas']['ProblemItem'][];
      /** @description Only with `outcome_unknown`: the id under which the event was tried. */
      eventId?: string;
      /** @description Only with `internal`: an id to look for in the service’s log. */
      incidentId?: string;
      /** @description Only of a correction that ended in between: the users who are corrected, and stay so. */
      corrected?: {
        /**
         * @description The user; null: erased.
         * @example ada
         */
        userId: string | null;
        /** @description The event that records the correction. */
        eventId: string;
      }[];
      /** @description Only of a correction that ended in between: the users who are not corrected. */
      uncorrected?: (string | null)[];
      /** @description `database`, `events` (the single-writer queue) and `projections` (the areas). */
      components: {
        [key: string]: components['schemas']['ComponentHealth'];
      };
      /**
       * @description Release of the time zone database in use.
       * @example 2025c
       */
      tzDataVersion?: string;
      /** @description Only if LAUREL_CLOCK is set: a note that says so. */
      clock?: string;
      /** @description Only if the stored state of users is damaged: who they are, and how to repair it. */
      damaged?: string;
      /** @description Only while what falls due could not be settled for five minutes. */
      sweeps?: string;
      /** @description Only while no outcomes could be made for five minutes. */
      outcomes?: string;
      /** @description Only while webhooks are disabled or behind: how many, and how to list them. */
      webhooks?: string;
      /** @description Only while the file of LAUREL_CONFIG is not published: why, and what to do. */
      configuration?: string;
    };
    /** @description Types that are absent stay unchanged. */
    NotificationChanges: {
      /** @description Of a completed achievement: `emails.achievement_due`. */
      achievement_completed?: ('email' | 'push')[];
      /** @description Of what they did in a week: `emails.recap_due`. */
      recap?: ('email' | 'push')[];
      /** @description Of days without an event: `emails.reactivation_due`. */
      reactivation?: ('email' | 'push')[];
      /** @description Of a period that is not met: `streak.at_risk` and `emails.streak_reminder_due`. */
      streak_reminder?: ('email' | 'push')[];
    };
    /** @description The channels that the user wants for each type. */
    NotificationPreferences: {
      /**
       * @description Of a completed achievement: `emails.achievement_due`.
       * @example [
       *       "email",
       *       "push"
       *     ]
       */
      achievement_completed: ('email' | 'push')[];
      /**
       * @description Of what they did in a week: `emails.recap_due`.
       * @example [
       *       "email",
       *       "push"
       *     ]
       */
      recap: ('email' | 'push')[];
      /**
       * @description Of days without an event: `emails.reactivation_due`.
       * @example [
       *       "email",
       *       "push"
       *     ]
       */
      reactivation: ('email' | 'push')[];
      /**
       * @description Of a period that is not met: `streak.at_risk` and `emails.streak_reminder_due`.
       * @example [
       *       "email",
       *       "push"
       *     ]
       */
      streak_reminder: ('email' | 'push')[];
    };
    /** @description An open import and its progress. */
    OpenImport: {
      /**
       * Format: date-time
       * @description When it was opened, or was given the options in force.
       * @example 2026-03-01T20:00:00.000Z
       */
      openedAt: string;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      by: string | null;
      /** @description The reason given for it; null: none. */
      reason: string | null;
      /** @description The option in force. */
      unboundedAwards: boolean;
      /** @description The option in force. */
      outgoing: boolean;
      /**
       * Format: int64
       * @description Events recorded since `openedAt`, including live ones; null: unknown.
       */
      events: number | null;
      /**
       * Format: date-time
       * @description When the newest imported event was received, or the import opened; after a restart not before that, and in the distributed topology up to five seconds old.
       * @example 2026-03-01T20:00:00.000Z
       */
      lastReceivedAt: string;
    };
    /** @description The import that is open, if one is. */
    OpenImportAnswer: {
      /** @description The open import; null: none is open. */
      open: components['schemas']['OpenImport'] | null;
    };
    /** @description Something that happened. */
    Outcome:
      | components['schemas']['AchievementCompletedOutcome']
      | components['schemas']['AchievementDueOutcome']
      | components['schemas']['StreakStartedOutcome']
      | components['schemas']['StreakExtendedOutcome']
      | components['schemas']['StreakAtRiskOutcome']
      | components['schemas']['StreakReminderDueOutcome']
      | components['schemas']['RecapDueOutcome']
      | components['schemas']['ReactivationDueOutcome']
      | components['schemas']['StreakLostOutcome']
      | components['schemas']['FreezeConsumedOutcome']
      | components['schemas']['FreezeEarnedOutcome']
      | components['schemas']['PointsChangedOutcome']
      | components['schemas']['LevelChangedOutcome']
      | components['schemas']['LeaderboardStartedOutcome']
      | components['schemas']['LeaderboardFinishedOutcome']
      | components['schemas']['RankChangedOutcome']
      | components['schemas']['RankLostOutcome']
      | components['schemas']['LeaderboardChangedOutcome']
      | components['schemas']['UserCreatedOutcome']
      | components['schemas']['UserCorrectedOutcome']
      | components['schemas']['UserErasedOutcome']
      | components['schemas']['ConfigurationPublishedOutcome']
      | components['schemas']['ImportFinishedOutcome']
      | components['schemas']['EndpointDisabledOutcome'];
    /** @description An outcome as a CloudEvent. */
    OutcomeCloudEvent: {
      /**
       * @description The version of CloudEvents.
       * @constant
       */
      specversion: '1.0';
      /**
       * Format: uuid
       * @description That of the outcome.
       */
      id: string;
      /**
       * @description The account.
       * @example /accounts/default
       */
      source: string;
      /**
       * @description The type of the outcome.
       * @example laurel.streak.lost.v1
       */
      type: string;
      /** @description The id of the user; absent: it concerns none. */
      subject?: string;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      time: string;
      /**
       * @description That of the outcome, as text.
       * @example 1
       */
      sequence: string;
      /**
       * @description The format of `data`.
       * @constant
       */
      datacontenttype: 'application/json';
      /** @description The outcome. */
      data: components['schemas']['Outcome'];
    };
    /** @description What was corrected of one event. */
    OutcomeCorrection: {
      /**
       * Format: uuid
       * @description The event that now counts differently.
       */
      eventId: string;
      /** @description Whether the event no longer counts. */
      retracted: boolean;
      /**
       * Format: double
       * @description Only if it was changed: the value with which it counts.
       */
      value?: number;
      /**
       * Format: date-time
       * @description Only if it was changed: the instant at which it counts.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp?: string;
      /**
       * @description Only if it was changed: the user’s clock from this event on.
       * @example Europe/Berlin
       */
      tz?: string;
    };
    /** @description A user’s place on a leaderboard in one run, after an event. */
    OutcomeLeaderboard: {
      /**
       * Format: uuid
       * @description Stays the same whenever the configuration is published again.
       */
      id: string;
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      key: string;
      /**
       * @description Name to show.
       * @example This week
       */
      name: string;
      /** @description Description to show; null if there is none. */
      description: string | null;
      /**
       * @description What users are ranked by: a sum of a metric’s values, of a points system’s awards, or their streak.
       * @enum {string}
       */
      rankBy: 'metric' | 'points' | 'streak';
      /** @description Key of the metric; null unless ranked by one. */
      metricKey: string | null;
      /** @description Name of the metric; null unless ranked by one. */
      metricName: string | null;
      /** @description Key of the points system; null unless ranked by one. */
      pointsSystemKey: string | null;
      /** @description Name of the points system; null unless ranked by one. */
      pointsSystemName: string | null;
      /** @description Unit of a run’s length; null: there is a single run. */
      runUnit: ('day' | 'month' | 'year') | null;
      /**
       * Format: int64
       * @description Length of a run in units; 0: there is a single run.
       */
      runInterval: number;
      /**
       * Format: int64
       * @description Maximum number of ranked users. Users beyond it have a value but no rank.
       */
      maxParticipants: number;
      /**
       * Format: date
       * @description The first date on which anything counts.
       * @example 2026-03-01
       */
      start: string;
      /**
       * Format: date
       * @description The last date on which anything counts; null: there is none.
       * @example 2026-03-01
       */
      end: string | null;
      /** @description Always null. */
      breakdownAttribute: string | null;
      /** @description Always empty. */
      breakdownAttributes: unknown[];
      /** @description Always empty. */
      userAttributes: unknown[];
      /** @description Always null. */
      startTime: string | null;
      /** @description Always null. */
      endTime: string | null;
      /**
       * Format: date
       * @description First date of the run that is shown; null: the leaderboard has not started.
       * @example 2026-03-01
       */
      runStart: string | null;
      /**
       * Format: date
       * @description Last date of that run, at most that of the leaderboard; null: it has none, or the leaderboard has not started.
       * @example 2026-03-01
       */
      runEnd: string | null;
      /**
       * Format: int64
       * @description The user’s present rank in the run; 1 is the top. Null: not ranked.
       */
      rank: number | null;
      /**
       * Format: double
       * @description The user’s value in the run; null: none.
       */
      value: number | null;
    };
    /** @description What is missing to meet a condition of the streak. */
    OutcomeMissing: {
      /**
       * @description The key of the metric.
       * @example commits
       */
      metric: string;
      /**
       * Format: double
       * @description What is missing in the period; 0: the condition is met.
       * @example 1
       */
      missing: number;
    };
    /** @description What was told of the user. Which other fields it has depends on its `type`; see `Outcome`. No other user is in it: of rankings it has the user’s own, and nobody whom the user overtook, or who overtook them. */
    OutcomeOfUser: {
      /**
       * Format: uuid
       * @description Of the outcome.
       */
      id: string;
      /**
       * @description What happened.
       * @example achievement.completed
       */
      type: string;
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account.
       */
      sequence: number;
    } & {
      [key: string]: unknown;
    };
    /** @description A leaderboard with the first rankings of one run, after an event. */
    OutcomeRankings: {
      /**
       * Format: uuid
       * @description Stays the same whenever the configuration is published again.
       */
      id: string;
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      key: string;
      /**
       * @description Name to show.
       * @example This week
       */
      name: string;
      /** @description Description to show; null if there is none. */
      description: string | null;
      /**
       * @description What users are ranked by: a sum of a metric’s values, of a points system’s awards, or their streak.
       * @enum {string}
       */
      rankBy: 'metric' | 'points' | 'streak';
      /** @description Key of the metric; null unless ranked by one. */
      metricKey: string | null;
      /** @description Name of the metric; null unless ranked by one. */
      metricName: string | null;
      /** @description Key of the points system; null unless ranked by one. */
      pointsSystemKey: string | null;
      /** @description Name of the points system; null unless ranked by one. */
      pointsSystemName: string | null;
      /** @description Unit of a run’s length; null: there is a single run. */
      runUnit: ('day' | 'month' | 'year') | null;
      /**
       * Format: int64
       * @description Length of a run in units; 0: there is a single run.
       */
      runInterval: number;
      /**
       * Format: int64
       * @description Maximum number of ranked users. Users beyond it have a value but no rank.
       */
      maxParticipants: number;
      /**
       * Format: date
       * @description The first date on which anything counts.
       * @example 2026-03-01
       */
      start: string;
      /**
       * Format: date
       * @description The last date on which anything counts; null: there is none.
       * @example 2026-03-01
       */
      end: string | null;
      /** @description Always null. */
      breakdownAttribute: string | null;
      /** @description Always empty. */
      breakdownAttributes: unknown[];
      /** @description Always empty. */
      userAttributes: unknown[];
      /** @description Always null. */
      startTime: string | null;
      /** @description Always null. */
      endTime: string | null;
      /**
       * Format: date
       * @description First date of the run that is shown; null: the leaderboard has not started.
       * @example 2026-03-01
       */
      runStart: string | null;
      /**
       * Format: date
       * @description Last date of that run, at most that of the leaderboard; null: it has none, or the leaderboard has not started.
       * @example 2026-03-01
       */
      runEnd: string | null;
      /** @description The requested rows, best first. Users with 0 or less are not ranked. */
      rankings: components['schemas']['Ranking'][];
    };
    /** @description A reminder to a user without recent events. */
    OutcomeReactivation: {
      /**
       * Format: int64
       * @description 1: the first since the last event.
       * @example 1
       */
      messageNumber: number;
      /**
       * Format: int64
       * @description Days of 24 hours since the last event.
       * @example 3
       */
      daysSinceLastActive: number;
    };
    /** @description What a user did in a week. */
    OutcomeRecap: {
      /**
       * Format: date
       * @description First date of the week.
       * @example 2026-03-01
       */
      periodStart: string;
      /**
       * Format: date
       * @description Last date of the week.
       * @example 2026-03-01
       */
      periodEnd: string;
      /**
       * @description The sum of the values of these dates by metric; a metric without an event is absent.
       * @example {
       *       "commits": 12
       *     }
       */
      totals: {
        [key: string]: number;
      };
      /**
       * @description The total of each points system when the outcome was made.
       * @example {
       *       "xp": 120
       *     }
       */
      points: {
        [key: string]: number;
      };
      /**
       * Format: int64
       * @description The length of the streak when the outcome was made; 0: none is alive.
       * @example 5
       */
      streakLength: number;
    };
    /** @description A streak that is alive, as an event left it. */
    OutcomeStreak: {
      /**
       * Format: int64
       * @description Periods in a row; 0 if no streak is alive.
       * @example 3
       */
      length: number;
      /**
       * @description How long a period is; `daily` if no streak is configured.
       * @enum {string}
       */
      frequency: 'daily' | 'weekly' | 'monthly';
      /**
       * Format: date
       * @description Date of the event that started it, in the user’s time zone; null if no streak is alive.
       * @example 2026-03-01
       */
      started: string | null;
      /**
       * Format: date
       * @description First date of the current period; null if there is none.
       * @example 2026-03-01
       */
      periodStart: string | null;
      /**
       * Format: date
       * @description Last date of the current period; null if there is none.
       * @example 2026-03-01
       */
      periodEnd: string | null;
      /**
       * Format: date
       * @description The last date, in the user’s time zone, on which the streak is alive; null if no streak is.
       * @example 2026-03-01
       */
      expires: string | null;
      /**
       * Format: date-time
       * @description Instant of the last extension; null if no streak is alive.
       * @example 2026-03-01T20:00:00.000Z
       */
      extended: string | null;
      /**
       * Format: int64
       * @description Only with freezes configured: how many the user holds.
       */
      freezes?: number;
      /**
       * Format: int64
       * @description Only with freezes configured: how many a user may hold.
       */
      maxFreezes?: number;
      /**
       * Format: int64
       * @description Only with freezes configured: after how many days of 24 hours more are earned; null: none are earned.
       */
      freezeAutoEarnInterval?: number | null;
      /**
       * Format: int64
       * @description Only with freezes configured: how many are earned then; null: none.
       */
      freezeAutoEarnAmount?: number | null;
    };
    /** @description An achievement that a user has completed. */
    OverviewAchievement: {
      /**
       * @description Key of the achievement.
       * @example first-lesson
       */
      key: string;
      /**
       * Format: date-time
       * @description Instant of the event that completed it.
       * @example 2026-03-01T20:00:00.000Z
       */
      achievedAt: string;
    };
    /** @description A user’s total of a metric. */
    OverviewMetric: {
      /**
       * @description Key of the metric.
       * @example lessons
       */
      key: string;
      /**
       * Format: double
       * @description The user’s total.
       * @example 12.5
       */
      total: number;
    };
    /** @description A user’s points in a system. */
    OverviewPoints: {
      /**
       * @description Key of the points system.
       * @example xp
       */
      pointsSystem: string;
      /**
       * @deprecated
       * @description The same as `pointsSystem`; it goes with the next release.
       * @example xp
       */
      system: string;
      /**
       * Format: int64
       * @description The user’s total as of now.
       * @example 340
       */
      total: number;
      /** @description Key of the current level; null: below all levels, or the system has none. */
      level: string | null;
    };
    /** @description A user’s streak as of now. */
    OverviewStreak: {
      /**
       * Format: int64
       * @description Length in periods; 0: no streak is alive.
       */
      length: number;
      /**
       * Format: date
       * @description The streak ends with this date unless it is extended; null: no streak is alive.
       */
      expires: string | null;
      /**
       * Format: int64
       * @description Freezes held; only with freezes configured.
       */
      freezes?: number;
    };
    /** @description One thing that a new version adds, removes or changes. */
    PlannedChange: {
      /**
       * @description The kind of change.
       * @enum {string}
       */
      kind: 'added' | 'removed' | 'changed';
      /** @description The path that changes, such as `points.xp.triggers.daily` or `leaderboards.weekly.end`. */
      path: string;
      /** @description Its value in the version in force; absent if it is added. */
      before?: unknown;
      /** @description Its value in the new document; absent if it is removed. */
      after?: unknown;
      /** @description What it means for users and their numbers, in a plain sentence. */
      effect: string;
    };
    /** @description A user’s points in one day, week or month. */
    PointsBucket: {
      /**
       * Format: date
       * @description First date of the period, or `start_date` if that is later.
       * @example 2026-03-01
       */
      date: string;
      /**
       * Format: int64
       * @description The user’s total at the end of the period.
       * @example 150
       */
      total: number;
      /**
       * Format: int64
       * @description Sum of the awards within the period; may be negative.
       * @example 10
       */
      change: number;
    };
    /** @description A user’s total in a points system changed. */
    PointsChangedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'points.changed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description The system, as in the answer to an event. `added` includes time awards that fell due with it. */
      points: components['schemas']['EventPoints'];
    };
    /** @description Points given to or taken from a user by hand. */
    PointsGrantRequest: {
      /**
       * @description Key of the points system.
       * @example xp
       */
      pointsSystem: string;
      /**
       * Format: int64
       * @description Points to give; negative: points to take. The total stays between 0 and the system’s cap.
       * @example 50
       */
      amount: number;
      /** @description Whether they count on leaderboards ranked by the system; absent: true. */
      boards?: boolean | null;
      /**
       * @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded, and erased with the user.
       * @example The lesson of 2 March was not counted.
       */
      reason: string;
    };
    /** @description A level of a points system. */
    PointsLevel: {
      /**
       * Format: uuid
       * @description Id of the level.
       */
      id: string;
      /**
       * @description Key of the level within its points system.
       * @example silver
       */
      key: string;
      /**
       * @description Name to show.
       * @example Silver
       */
      name: string;
      /** @description Description to show; empty if there is none. */
      description: string;
      /** @description Address of a picture; null if there is none. */
      badgeUrl: string | null;
      /**
       * Format: int64
       * @description The total at which the level begins.
       * @example 100
       */
      points: number;
    };
    /** @description One points system on one date. */
    PointsOfDay: {
      /**
       * Format: int64
       * @description Points given by awards.
       */
      awarded: number;
      /**
       * Format: int64
       * @description Points taken by negative awards, as a positive number.
       */
      consumed: number;
    };
    /** @description Number of users in a range of points. */
    PointsRange: {
      /**
       * Format: int64
       * @description Lowest total of the range.
       * @example 101
       */
      from: number;
      /**
       * Format: int64
       * @description Highest total of the range, inclusive.
       * @example 200
       */
      to: number;
      /**
       * Format: int64
       * @description Number of users whose recorded total is in the range.
       * @example 12
       */
      users: number;
    };
    /** @description A points system. */
    PointsSystem: {
      /**
       * Format: uuid
       * @description Id of the points system.
       */
      id: string;
      /**
       * @description Key of the points system.
       * @example xp
       */
      key: string;
      /**
       * @description Name to show.
       * @example Experience
       */
      name: string;
      /** @description Description to show; null if there is none. */
      description: string | null;
      /** @description Address of a picture; null if there is none. */
      badgeUrl: string | null;
      /**
       * Format: int64
       * @description No user’s total goes beyond this; null: there is no cap.
       */
      maxPoints: number | null;
      /** @description Its triggers, in configuration order. */
      triggers: components['schemas']['Trigger'][];
    };
    /** @description A user’s notification preferences. A type with an empty list is not sent. */
    Preferences: {
      notifications: components['schemas']['NotificationPreferences'];
    };
    /** @description Changes to a user’s notification preferences. */
    PreferencesRequest: {
      notifications?: components['schemas']['NotificationChanges'];
    };
    /** @description Events that should count differently, or not at all. */
    PreviewCorrectionRequest: {
      /** @description Each event once; of at most 100 users. */
      corrections: components['schemas']['RequestedCorrection'][];
      /** @description `keep`: what was completed stays completed. Points are those of the events all the same, so what it gave is taken back. Absent: `recompute`. */
      achievements?: ('recompute' | 'keep') | null;
      /** @description `change`: runs that are final are corrected too. Absent: `keep`. */
      finalRuns?: ('keep' | 'change') | null;
    };
    /** @description A user before and after a correction. */
    PreviewedUser: {
      /**
       * @description The user; null: erased.
       * @example ada
       */
      userId: string | null;
      /**
       * Format: int64
       * @description Number of the user’s events that are corrected.
       * @example 1
       */
      events: number;
      /** @description Metrics whose total changes. */
      metrics: {
        /**
         * @description Key of the metric.
         * @example lessons
         */
        metric: string;
        /**
         * Format: double
         * @description The value without the correction.
         */
        before: number;
        /**
         * Format: double
         * @description The value with the correction.
         */
        after: number;
      }[];
      /** @description Points systems whose total changes. */
      points: {
        /**
         * @description Key of the points system.
         * @example xp
         */
        pointsSystem: string;
        /**
         * @deprecated
         * @description The same as `pointsSystem`; it goes with the next release.
         * @example xp
         */
        system: string;
        /** @description The value without the correction. */
        before: {
          /**
           * Format: int64
           * @description Whole points.
           * @example 340
           */
          total: number;
          /** @description Key of the level; null: below all of them. */
          level: string | null;
        };
        /** @description The value with the correction. */
        after: {
          /**
           * Format: int64
           * @description Whole points.
           * @example 340
           */
          total: number;
          /** @description Key of the level; null: below all of them. */
          level: string | null;
        };
      }[];
      /** @description Achievements that become completed or are revoked. */
      achievements: {
        /**
         * @description Key of the achievement.
         * @example first-lesson
         */
        achievement: string;
        /**
         * @description How it changes.
         * @enum {string}
         */
        change: 'completed' | 'revoked';
      }[];
      /** @description The streak, also if it does not change. */
      streak: {
        /** @description The value without the correction. */
        before: {
          /**
           * Format: int64
           * @description Periods; 0: no streak is alive.
           * @example 4
           */
          length: number;
          /**
           * Format: int64
           * @description Freezes held.
           * @example 1
           */
          freezes: number;
        };
        /** @description The value with the correction. */
        after: {
          /**
           * Format: int64
           * @description Periods; 0: no streak is alive.
           * @example 4
           */
          length: number;
          /**
           * Format: int64
           * @description Freezes held.
           * @example 1
           */
          freezes: number;
        };
      };
      /** @description Runs in which the user’s value, or when it was reached, differs; null: no value. */
      runs: {
        /**
         * @description Key of the leaderboard.
         * @example weekly
         */
        board: string;
        /**
         * Format: date
         * @description First date of the run.
         * @example 2026-03-01
         */
        start: string;
        /**
         * Format: date
         * @description Last date of the run; null: it has none.
         * @example 2026-03-01
         */
        end: string | null;
        /** @description Whether it is final: then it changes only with `finalRuns: change`. */
        final: boolean;
        /** @description Whether it stays as it is, because it is final: `after` is what `finalRuns: change` would make of it. */
        stays: boolean;
        /**
         * Format: double
         * @description The value without the correction.
         */
        before: number | null;
        /**
         * Format: double
         * @description The value with the correction.
         */
        after: number | null;
        reachedAt: components['schemas']['ReachedAt'];
      }[];
    };
    /** @description An error, as `application/problem+json` (RFC 9457). */
    Problem: {
      /**
       * @description Where the error is explained: a page of this service, relative to its address.
       * @example /docs/errors#unknown_metric
       */
      type: string;
      /**
       * @description The code in a few words.
       * @example Unknown metric
       */
      title: string;
      /**
       * Format: int64
       * @description The HTTP status.
       * @example 404
       */
      status: number;
      /**
       * @description What was refused and why, in a plain sentence.
       * @example There is no metric 'lesons' (did you mean 'lessons'?).
       */
      detail: string;
      /**
       * @description The same as `detail`.
       * @example There is no metric 'lesons' (did you mean 'lessons'?).
       */
      error: string;
      /**
       * @description The code, for programs.
       * @enum {string}
       */
      code:
        | 'unknown_path'
        | 'method_not_allowed'
        | 'unauthorized'
        | 'forbidden'
        | 'rate_limited'
        | 'unsupported_media_type'
        | 'body_too_large'
        | 'malformed_body'
        | 'malformed_request'
        | 'request_timeout'
        | 'expectation_failed'
        | 'headers_too_large'
        | 'unknown_metric'
        | 'unknown_user'
        | 'unknown_achievement'
        | 'unknown_points_system'
        | 'unknown_level'
        | 'unknown_leaderboard'
        | 'unknown_run'
        | 'unknown_rebuild'
        | 'unknown_verification'
        | 'unknown_configuration'
        | 'unknown_key'
        | 'unknown_session'
        | 'unknown_event'
        | 'unknown_webhook'
        | 'unknown_delivery'
        | 'cursor_expired'
        | 'invalid_request'
        | 'import_open'
        | 'stale_preview'
        | 'stale_plan'
        | 'not_in_this_topology'
        | 'overloaded'
        | 'unavailable'
        | 'starting'
        | 'outcome_unknown'
        | 'state_damaged'
        | 'internal';
      /** @description Only with `invalid_request`: everything that is wrong, not only the first. */
      errors?: components['schemas']['ProblemItem'][];
      /** @description Only with `outcome_unknown`: the id under which the event was tried. */
      eventId?: string;
      /** @description Only with `internal`: an id to look for in the service’s log. */
      incidentId?: string;
      /** @description Only of a correction that ended in between: the users who are corrected, and stay so. */
      corrected?: {
        /**
         * @description The user; null: erased.
         * @example ada
         */
        userId: string | null;
        /** @description The event that records the correction. */
        eventId: string;
      }[];
      /** @description Only of a correction that ended in between: the users who are not corrected. */
      uncorrected?: (string | null)[];
    };
    /** @description What is wrong with one field or parameter. */
    ProblemItem: {
      /**
       * @description A field by its path, a parameter or a header by its name; empty: the body itself.
       * @example user.tz
       * @example [3].value
       * @example awards
       */
      path: string;
      /**
       * @description What the field must be.
       * @example is required
       */
      message: string;
    };
    /** @description A published version of the configuration. */
    PublishedConfiguration: {
      /**
       * Format: int64
       * @description Its number.
       */
      version: number;
      /**
       * Format: date-time
       * @description When it was published.
       * @example 2026-03-01T20:00:00.000Z
       */
      publishedAt: string;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      publishedBy: string | null;
      /** @description The reason given for the publication; null: none. */
      reason: string | null;
      /** @description The document, with every default filled in. */
      document: unknown;
      /** @description The document as it was written, comments and order included; null: it was published as `document`, or by a release before 0.2. */
      text: string | null;
    };
    /** @description The single-writer queue: everything is recorded through it. */
    QueueStatus: {
      /**
       * @description `open`: it records. `waiting`: the database cannot be reached, requests wait for it. `down`: they are refused at once. `fenced`: another process has taken over, for good. `closed`: the service is stopping.
       * @enum {string}
       */
      state: 'open' | 'waiting' | 'down' | 'fenced' | 'closed';
      /**
       * Format: int64
       * @description Requests that have been accepted and not yet answered.
       */
      waiting: number;
      /**
       * Format: double
       * @description Seconds for which they have waited without any answer.
       */
      stalledSeconds: number;
    };
    /** @description A change of the user’s value in a run. */
    RankChangeOfUser: {
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      leaderboard: string;
      /**
       * Format: date
       * @description First date of the run.
       * @example 2026-03-01
       */
      run: string;
      /**
       * Format: date-time
       * @description When the value changed.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string;
      /**
       * Format: int64
       * @description Null: not ranked.
       */
      previousRank: number | null;
      /**
       * Format: int64
       * @description Null: not ranked.
       */
      rank: number | null;
      /**
       * Format: double
       * @description The value that the user is ranked by.
       * @example 12.5
       */
      value: number;
    };
    /** @description What a user did changed their own rank in a run. */
    RankChangedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'leaderboard.rank_changed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description The leaderboard with the user’s rank and value after it. */
      leaderboard: components['schemas']['OutcomeLeaderboard'];
      /**
       * Format: int64
       * @description The rank before; null: not ranked.
       */
      previousRank: number | null;
      /**
       * Format: double
       * @description The value before; null: none in this run, or 0.
       */
      previousValue: number | null;
    };
    /** @description One change of a user’s value on a leaderboard. */
    RankHistoryElement: {
      /**
       * Format: date-time
       * @description When it changed.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: date
       * @description The date of `timestamp` in the user’s current time zone.
       * @example 2026-03-01
       */
      date: string;
      /**
       * Format: int64
       * @description Rank before; null: not ranked.
       */
      previousRank: number | null;
      /**
       * Format: int64
       * @description Rank after; null: not ranked.
       */
      rank: number | null;
      /**
       * Format: double
       * @description Value before; null: none in this run.
       */
      previousValue: number | null;
      /**
       * Format: double
       * @description Value after.
       */
      value: number;
    };
    /** @description Somebody overtook a user within the first ranks of a run. */
    RankLostOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'leaderboard.rank_lost';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description The leaderboard with the user’s rank and value after it. */
      leaderboard: components['schemas']['OutcomeLeaderboard'];
      /**
       * Format: int64
       * @description The rank after it; null: not ranked any more.
       * @example 2
       */
      rank: number | null;
      /**
       * Format: int64
       * @description The rank before, at most `outgoing.announceTop`.
       * @example 1
       */
      previousRank: number;
      /** @description The id of the user who overtook them. */
      by: string;
    };
    /** @description A row of a leaderboard. */
    RankedState: {
      /** @description The user. */
      userId: string;
      /**
       * Format: int64
       * @description 1 is the top.
       */
      rank: number;
      /**
       * Format: double
       * @description The value that the user is ranked by.
       */
      value: number;
    };
    /** @description The length of a user’s streak. */
    RankedStreak: {
      /** @description The user. */
      userId: string;
      /**
       * Format: int64
       * @description Periods in a row; 0 if none is alive or the user is unknown.
       */
      streakLength: number;
      /**
       * Format: date-time
       * @description Instant of the last extension; null if no streak is alive.
       * @example 2026-03-01T20:00:00.000Z
       */
      extended: string | null;
    };
    /** @description A row of a leaderboard. */
    Ranking: {
      /** @description The caller’s own identifier of the user. */
      userId: string;
      /** @description Name to show; null if none was given. */
      userName: string | null;
      /**
       * Format: int64
       * @description 1 is the top; no two users have one rank.
       */
      rank: number;
      /**
       * Format: double
       * @description What the user is ranked by.
       */
      value: number;
    };
    /** @description When the value was reached, which ranks equal values; null: no value. */
    ReachedAt: {
      /**
       * Format: date-time
       * @description The value without the correction.
       * @example 2026-03-01T20:00:00.000Z
       */
      before: string | null;
      /**
       * Format: date-time
       * @description The value with the correction.
       * @example 2026-03-01T20:00:00.000Z
       */
      after: string | null;
    };
    /** @description Nothing was reported of a user for so many days. */
    ReactivationDueOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'emails.reactivation_due';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description Which reminder it is. */
      reactivation: components['schemas']['OutcomeReactivation'];
    };
    /** @description The service is ready. */
    Ready: {
      /**
       * @description Always `ready`. Otherwise the answer is 503.
       * @constant
       */
      status: 'ready';
      /** @description `database`, `events` (the single-writer queue) and `projections` (the areas). */
      components: {
        [key: string]: components['schemas']['ComponentHealth'];
      };
      /**
       * @description Release of the time zone database in use.
       * @example 2025c
       */
      tzDataVersion?: string;
      /** @description Only if LAUREL_CLOCK is set: a note that says so. */
      clock?: string;
      /** @description Only if the stored state of users is damaged: who they are, and how to repair it. */
      damaged?: string;
      /** @description Only while what falls due could not be settled for five minutes. */
      sweeps?: string;
      /** @description Only while no outcomes could be made for five minutes. */
      outcomes?: string;
      /** @description Only while webhooks are disabled or behind: how many, and how to list them. */
      webhooks?: string;
      /** @description Only while the file of LAUREL_CONFIG is not published: why, and what to do. */
      configuration?: string;
    };
    /** @description The log applied again, from its first record on. */
    Rebuild: {
      /**
       * Format: uuid
       * @description The id, valid until the process ends.
       */
      id: string;
      /** @description The areas whose read models are rebuilt. */
      areas: components['schemas']['AreaName'][];
      /**
       * @description The current state.
       * @enum {string}
       */
      state: 'running' | 'done' | 'failed';
      /** @description Whether the result is only compared with what is stored, and then discarded. */
      verify: boolean;
      /** @description With `verify`, once it is done: the differences found, one for each table, with the first user that differs. Empty: none. */
      differences: components['schemas']['RebuildDifference'][];
      /**
       * Format: int64
       * @description The position up to which the log has been applied again.
       */
      applied: number;
      /**
       * Format: int64
       * @description The last known end of the log.
       */
      head: number;
      /**
       * Format: date-time
       * @description When it began.
       * @example 2026-03-01T20:00:00.000Z
       */
      startedAt: string;
      /**
       * Format: date-time
       * @description When it ended; null while it runs.
       * @example 2026-03-01T20:00:00.000Z
       */
      finishedAt: string | null;
      /** @description Why it failed; the read models are then as they were. */
      error: string | null;
    };
    /** @description A difference between what is stored and what results from the log. */
    RebuildDifference: {
      /**
       * @description The table that differs.
       * @example points_months
       */
      table: string;
      /** @description The first user whose rows differ; null: a counter, or an unknown user. */
      userId: string | null;
      /** @description The stored row, as JSON; null: there is none. */
      stored: string | null;
      /** @description The row that results from the log, as JSON; null: there is none. */
      expected: string | null;
    };
    /** @description What to rebuild. */
    RebuildRequest: {
      /** @description The areas to rebuild; absent: all. */
      areas?: components['schemas']['AreaName'][];
      /** @description Whether to only compare the result with what is stored, and then discard it; absent: false. */
      verify?: boolean;
    };
    /** @description It is time to tell a user what they did in a week. */
    RecapDueOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'emails.recap_due';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description The week. */
      recap: components['schemas']['OutcomeRecap'];
    };
    /** @description A correction of one user’s events. */
    RecordedCorrection: {
      /**
       * Format: int64
       * @description Number of the user’s events that it corrects.
       * @example 1
       */
      count: number;
      /** @description The first 20 of them, in the order of the request. */
      events: components['schemas']['CorrectedEvent'][];
      /**
       * @description `recompute`: completed achievements are those that the corrected events complete. `keep`: what was completed stays so, but gives nothing.
       * @enum {string}
       */
      achievements: 'recompute' | 'keep';
      /**
       * @description `keep`: runs that are final stay as they are. `change`: they are corrected too.
       * @enum {string}
       */
      finalRuns: 'keep' | 'change';
    };
    /** @description An event of the log that names the user. */
    RecordedEvent: {
      /**
       * Format: uuid
       * @description Of the event.
       */
      id: string;
      /**
       * @description Of the recorded event.
       * @example MetricEventRecorded
       */
      type: string;
      /**
       * Format: date-time
       * @description The instant of the event.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: date-time
       * @description When it was recorded.
       * @example 2026-03-01T20:00:00.000Z
       */
      recordedAt: string;
      /** @description Everything else that the log holds of the event. `personal` holds what names or describes the user. */
      details: {
        [key: string]: unknown;
      };
    };
    /** @description How to correct one event. */
    RequestedCorrection: {
      /**
       * Format: uuid
       * @description The event, as its answer named it; to undo a correction, its event.
       */
      eventId: string;
      /** @description Retracts the event, as if it had never been recorded. Cannot be combined with `value`, `occurredAt` or `tz`. */
      retract?: boolean | null;
      /**
       * Format: double
       * @description The value that a metric event should have instead.
       * @example 1
       */
      value?: number | null;
      /**
       * Format: date-time
       * @description The instant that a metric event should have instead. It cannot be later than the recording of the event.
       * @example 2026-01-31T12:00:00+01:00
       */
      occurredAt?: string | null;
      /**
       * @description The user’s clock from this metric event on, as if the event had named it.
       * @example Europe/Berlin
       */
      tz?: string | null;
    };
    /** @description The result of restoring streaks. */
    RestoreStreaksAnswer: {
      /**
       * @description Users whose streak is restored.
       * @example [
       *       "ada"
       *     ]
       */
      restoredUsers: string[];
      /** @description Users whose streak is not restored, and why. */
      issues: components['schemas']['GrantIssue'][];
    };
    /** @description Users whose streaks are restored. */
    RestoreStreaksRequest: {
      /** @description The users whose last streak is restored. */
      users: {
        /**
         * @description The user.
         * @example ada
         */
        id: string;
      }[];
      /** @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded. */
      reason?: string | null;
    };
    /**
     * @description What a key may be used for.
     * @enum {string}
     */
    Scope: 'ingest' | 'read' | 'support' | 'admin' | 'export';
    /** @description The state of the service. */
    ServiceStatus: {
      /**
       * @description Version of the release.
       * @example 0.1.0
       */
      version: string;
      /** @description Whether `/readyz` answers 200 and there are no `problems`. */
      ready: boolean;
      /**
       * Format: date-time
       * @description The service’s current time.
       * @example 2026-03-01T20:00:00.000Z
       */
      now: string;
      /** @description A note if LAUREL_CLOCK is set, else null. */
      clock: string | null;
      /** @description Release of the time zone database in use. */
      tzDataVersion: string;
      /**
       * Format: int64
       * @description The configuration version in force.
       */
      configurationVersion: number;
      /** @description Only while the file of LAUREL_CONFIG waits for `laurel config publish --accept`. */
      heldBackConfiguration?: components['schemas']['HeldBackConfiguration'];
      /**
       * @description Only while `demo` in the data folder holds another database, of release 0.1, which is not used: its path.
       * @example /var/lib/laurel/demo
       */
      unusedDataFolder?: string;
      /**
       * Format: int64
       * @description Position of the newest record of the log.
       */
      head: number;
      /** @description Whether an import is open. Nothing is swept while it is. */
      importOpen: boolean;
      queue: components['schemas']['QueueStatus'];
      lane: components['schemas']['LaneStatus'];
      /** @description Every area, in the order of the chain. */
      areas: components['schemas']['AreaStatus'][];
      /**
       * Format: int64
       * @description Users of whom the stored state was found damaged. Only of a service that is one process.
       */
      damagedUsers?: number;
      /** @description Those found last, at most 20. Only of a service that is one process. */
      damaged?: components['schemas']['DamagedUser'][];
      /**
       * Format: int64
       * @description Users whose id is `undefined`, `null`, `NaN`, `[object Object]`, `00000000-0000-0000-0000-000000000000`: a client probably sends it for people whose id it does not know. Absent while this cannot be read.
       * @example 0
       */
      placeholderUsers?: number;
      /** @description Each webhook, and how far behind it is. Absent where no process sends webhooks, and while this cannot be read. */
      webhooks?: components['schemas']['WebhookStatus'][];
      /** @description Absent while the database cannot be read. */
      storage?: components['schemas']['StorageStatus'];
      /** @description The latest rebuild since the process started; null: none. */
      rebuild: components['schemas']['Rebuild'] | null;
      /** @description Only in the distributed topology: the services, in the order of the chain. */
      services?: components['schemas']['ChainServiceStatus'][];
      /**
       * Format: int64
       * @description Only in the distributed topology: running query gateways that gather answers.
       */
      queryGateways?: number;
      /** @description What keeps events from being applied or answered, or soon may, and what has failed in the background for five minutes, a sentence each. Empty: nothing. */
      problems?: string[];
    };
    /** @description Either a key or the token of a link. */
    SignInRequest: {
      /** @description An API key. */
      key?: string | null;
      /** @description The part of a console link behind its `#`. */
      token?: string | null;
    };
    /** @description The user’s place in a run. */
    StandingOfUser: {
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      leaderboard: string;
      /**
       * Format: date
       * @description First date of the run.
       * @example 2026-03-01
       */
      run: string;
      /**
       * Format: double
       * @description The value that the user is ranked by.
       * @example 12.5
       */
      value: number;
      /**
       * Format: date-time
       * @description When the value was reached: of two equal values, the earlier one ranks first.
       * @example 2026-03-01T20:00:00.000Z
       */
      reachedAt: string;
    };
    /** @description A partition that is halted until the cause is fixed. */
    StoppedPartition: {
      /**
       * Format: int64
       * @description The partition of its input.
       */
      partition: number;
      /**
       * Format: int64
       * @description Offset of the message that it could not apply.
       */
      offset: number;
      /** @description Why. */
      reason: string;
    };
    /** @description Disk space that the service uses. */
    StorageStatus: {
      /**
       * Format: int64
       * @description Size of the database, without the write-ahead log.
       */
      databaseBytes: number;
      /**
       * Format: int64
       * @description Tables of the event log; null: it is not in this database.
       */
      logBytes: number | null;
      /**
       * Format: int64
       * @description Tables of the read models.
       */
      readModelBytes: number;
      /**
       * Format: int64
       * @description Indexes of all these tables.
       */
      indexBytes: number;
      /**
       * Format: int64
       * @description Size of the write-ahead log of the database server; null: unknown.
       */
      walBytes: number | null;
      /**
       * Format: int64
       * @description Free space on the file system of the embedded database; null: unknown.
       */
      freeBytes: number | null;
      /**
       * Format: int64
       * @description Size of that file system; null: unknown.
       */
      totalBytes: number | null;
      /** @description Less than 5 % is free; the limit is at least 1 GiB and at most 20 GiB. */
      low: boolean;
      bytesPerEvent: components['schemas']['BytesPerEvent'];
      /**
       * Format: int64
       * @description Events for which the free space lasts at `bytesPerEvent`, after the write-ahead log has grown to its limit; null: unknown.
       */
      eventsUntilFull: number | null;
      unknown: components['schemas']['UnknownSizes'];
    };
    /** @description A period is not met yet, and it is time to remind the user. */
    StreakAtRiskOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'streak.at_risk';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description The streak that is at risk. */
      streak: components['schemas']['OutcomeStreak'];
      /**
       * Format: date-time
       * @description When it ends, or a freeze is used, unless the period is met before.
       * @example 2026-03-01T20:00:00.000Z
       */
      expiresAt: string;
      /** @description The conditions of the streak, in the order of the configuration. */
      missing: components['schemas']['OutcomeMissing'][];
    };
    /** @description A user met another period of a streak. */
    StreakExtendedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'streak.extended';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description The streak after the event. Its period is the one that was met. */
      streak: components['schemas']['OutcomeStreak'];
    };
    /** @description The result of granting freezes. */
    StreakFreezesAnswer: {
      /** @description Users who got none, and why. */
      issues: components['schemas']['GrantIssue'][];
    };
    /** @description Streak freezes for many users. */
    StreakFreezesRequest: {
      /** @description Each entry gives one freeze: a user who is named twice gets two. */
      freezes: {
        /**
         * @description The user.
         * @example ada
         */
        userId: string;
      }[];
      /** @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded. */
      reason?: string | null;
    };
    /** @description Why a streak is restored. */
    StreakGrantRequest: {
      /**
       * @description The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded, and erased with the user.
       * @example The lesson of 2 March was not counted.
       */
      reason: string;
    };
    /** @description One period of a streak’s history. */
    StreakHistoryElement: {
      /**
       * Format: date
       * @description First date of the period.
       * @example 2026-03-01
       */
      periodStart: string;
      /**
       * Format: date
       * @description Last date of the period.
       * @example 2026-03-01
       */
      periodEnd: string;
      /**
       * Format: int64
       * @description The streak’s length as of this period if it was met or bridged, else 0.
       */
      length: number;
      /** @description Always false. */
      usedPause: boolean;
      /** @description Whether a freeze bridged it. */
      usedFreeze: boolean;
    };
    /** @description How many streaks reached a length. */
    StreakLengthCount: {
      /**
       * Format: int64
       * @description Periods in a row.
       */
      length: number;
      /**
       * Format: int64
       * @description Streaks that reached this length.
       */
      reached: number;
      /**
       * Format: int64
       * @description Streaks that ended at this length, without those that have been restored since.
       */
      ended: number;
    };
    /** @description A streak ended. */
    StreakLostOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'streak.lost';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /**
       * Format: int64
       * @description The length that the streak had.
       * @example 7
       */
      length: number;
      /**
       * Format: date-time
       * @description When it ended.
       * @example 2026-03-01T20:00:00.000Z
       */
      endedAt: string;
    };
    /** @description A period is not met yet, and it is time to remind the user. */
    StreakReminderDueOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'emails.streak_reminder_due';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description The streak that is at risk. */
      streak: components['schemas']['OutcomeStreak'];
      /**
       * Format: date-time
       * @description When it ends, or a freeze is used, unless the period is met before.
       * @example 2026-03-01T20:00:00.000Z
       */
      expiresAt: string;
      /** @description The conditions of the streak, in the order of the configuration. */
      missing: components['schemas']['OutcomeMissing'][];
    };
    /** @description A user met the first period of a new streak. */
    StreakStartedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'streak.started';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description The streak after the event. Its period is the one that was met. */
      streak: components['schemas']['OutcomeStreak'];
    };
    /** @description The streak, with its whole history. */
    StreakState: {
      /**
       * Format: int64
       * @description Length in periods; 0 if no streak is alive.
       */
      length: number;
      /**
       * Format: date
       * @description Null if none is alive.
       * @example 2026-03-01
       */
      started: string | null;
      /**
       * Format: int64
       * @description Length of the user’s longest streak.
       */
      longest: number;
      /**
       * Format: int64
       * @description How many periods were met or bridged.
       */
      periods: number;
      /**
       * Format: date
       * @description First date of the current period.
       * @example 2026-03-01
       */
      periodStart: string | null;
      /**
       * Format: date
       * @description Last date of the current period.
       * @example 2026-03-01
       */
      periodEnd: string | null;
      /**
       * Format: date
       * @description The last date on which it can be extended.
       * @example 2026-03-01
       */
      expires: string | null;
      /** @description Length as of each period met or bridged, by its first date. */
      history: {
        [key: string]: number;
      };
    };
    /** @description How long the streaks of all users lasted. */
    StreakSurvival: {
      /** @description How long a period is; null: no streak is configured. */
      frequency: ('daily' | 'weekly' | 'monthly') | null;
      /** @description The lengths from 1 to 1,000 that any streak reached, shortest first. */
      lengths: components['schemas']['StreakLengthCount'][];
      /**
       * Format: int64
       * @description The longest length of any streak, even beyond 1,000; 0: there was no streak.
       */
      longest: number;
    };
    /** @description A line without `index`: the service ended the stream early. No line after the last one with a result was recorded. */
    StreamEnd: {
      /**
       * Format: int64
       * @description The status that the whole request would have received.
       */
      status: number;
      /** @description Why the stream was ended, in a plain sentence. */
      error: string;
      /**
       * @description The `code` of the error.
       * @enum {string}
       */
      code:
        | 'unknown_path'
        | 'method_not_allowed'
        | 'unauthorized'
        | 'forbidden'
        | 'rate_limited'
        | 'unsupported_media_type'
        | 'body_too_large'
        | 'malformed_body'
        | 'malformed_request'
        | 'request_timeout'
        | 'expectation_failed'
        | 'headers_too_large'
        | 'unknown_metric'
        | 'unknown_user'
        | 'unknown_achievement'
        | 'unknown_points_system'
        | 'unknown_level'
        | 'unknown_leaderboard'
        | 'unknown_run'
        | 'unknown_rebuild'
        | 'unknown_verification'
        | 'unknown_configuration'
        | 'unknown_key'
        | 'unknown_session'
        | 'unknown_event'
        | 'unknown_webhook'
        | 'unknown_delivery'
        | 'cursor_expired'
        | 'invalid_request'
        | 'import_open'
        | 'stale_preview'
        | 'stale_plan'
        | 'not_in_this_topology'
        | 'overloaded'
        | 'unavailable'
        | 'starting'
        | 'outcome_unknown'
        | 'state_damaged'
        | 'internal';
    };
    /** @description The result for one line, or why no further line was read. */
    StreamResult: components['schemas']['BatchResult'] | components['schemas']['StreamEnd'];
    /** @description A recorded event that concerns the user, and what it caused. */
    TimelineEvent: {
      /**
       * Format: uuid
       * @description The event’s id. `/admin/v1/events/{eventId}` shows everything that it caused.
       */
      id: string;
      /**
       * @description The type of the recorded event. `UsersSwept`: only time had passed.
       * @enum {string}
       */
      type:
        | 'MetricEventRecorded'
        | 'UserIdentified'
        | 'AchievementCompletedByCall'
        | 'GrantRecorded'
        | 'CorrectionRecorded'
        | 'UserErased'
        | 'UsersSwept';
      /**
       * @description The event in words, for people, with the names that the configuration has for keys.
       * @example 3 Lessons
       */
      words: string;
      /**
       * Format: date-time
       * @description The event’s instant.
       * @example 2026-03-01T20:00:00.000Z
       */
      occurredAt: string;
      /**
       * Format: date-time
       * @description When it was recorded; for an imported event, this may be long after its instant.
       * @example 2026-03-01T20:00:00.000Z
       */
      recordedAt: string;
      /**
       * Format: int64
       * @description The configuration version under which it was applied.
       * @example 1
       */
      version: number;
      /**
       * @description Of a metric event: the metric’s key.
       * @example lessons
       */
      metric?: string;
      /**
       * Format: double
       * @description Of a metric event: its value.
       * @example 3
       */
      value?: number;
      /**
       * @description Of a metric event: its attributes.
       * @example {
       *       "course": "greek"
       *     }
       */
      attributes?: {
        [key: string]: string;
      };
      /** @description Of a metric event: whether the caller sent the instant, as imports do. */
      imported?: boolean;
      /**
       * @description Of a completion by call: key of the achievement.
       * @example profile
       */
      achievement?: string;
      /** @description Of a grant: what was granted. */
      grant?: {
        /**
         * @description What was granted.
         * @enum {string}
         */
        kind: 'points' | 'freezes' | 'streak' | 'excused' | 'achievement' | 'revocation';
        /**
         * @description Key of the points system.
         * @example xp
         */
        pointsSystem?: string;
        /**
         * @deprecated
         * @description The same as `pointsSystem`; it goes with the next release.
         * @example xp
         */
        system?: string;
        /**
         * Format: int64
         * @description Points or freezes to give; negative: points to take.
         * @example 50
         */
        amount?: number;
        /** @description Of points: whether they count on leaderboards. */
        boards?: boolean;
        /**
         * Format: date
         * @description Of excused days: the first date.
         * @example 2026-03-01
         */
        from?: string;
        /**
         * Format: date
         * @description Of excused days: the last date.
         * @example 2026-03-01
         */
        to?: string;
        /**
         * @description Of an achievement and a revocation: key of the achievement.
         * @example profile
         */
        achievement?: string;
      };
      /** @description Of a correction: what it corrects. */
      correction?: components['schemas']['RecordedCorrection'];
      /** @description Of a grant or a correction: who did it. */
      by?: string | null;
      /** @description Of a grant or a correction: why. */
      reason?: string | null;
      /** @description What corrections have made of the event; null: it counts as it was recorded. */
      corrected: components['schemas']['CorrectionsOfEvent'] | null;
      effects: components['schemas']['EffectsByArea'];
      /**
       * Format: int64
       * @description How many effects on points come before the last 100, which are shown. `/admin/v1/users/{id}/explain/points/{key}/events/{eventId}` shows all.
       * @example 0
       */
      pointsLeftOut: number;
    };
    /** @description A points trigger. Which optional fields it has depends on its `type`. */
    Trigger: {
      /**
       * Format: uuid
       * @description Stays the same however triggers are reordered. Types grant and correction: the award’s id.
       */
      id: string;
      /**
       * @description What makes it fire. `grant`: nothing did, the award was given by hand; `correction`: it makes up for events that were corrected. Both only in awards.
       * @enum {string}
       */
      type: 'metric' | 'streak' | 'achievement' | 'user_creation' | 'time' | 'grant' | 'correction';
      /**
       * Format: int64
       * @description What it gives each time it fires; negative: what it takes. Type grant: what was given.
       * @example 10
       */
      points: number;
      /**
       * @description Always `active`.
       * @constant
       */
      status: 'active';
      /**
       * Format: uuid
       * @description Type metric only: id of the metric.
       */
      metricId?: string;
      /**
       * @description Type metric only: name of the metric.
       * @example Lessons
       */
      metricName?: string;
      /**
       * Format: double
       * @description Type metric only: fires for each whole multiple of this that the sum of values reaches.
       * @example 3
       */
      metricThreshold?: number;
      /**
       * Format: int64
       * @description Type streak only: fires when the streak is extended to a multiple of this.
       * @example 7
       */
      streakLengthThreshold?: number;
      /**
       * Format: uuid
       * @description Type achievement only: id of the achievement.
       */
      achievementId?: string;
      /**
       * @description Type achievement only: name of the achievement.
       * @example First lesson
       */
      achievementName?: string;
      /**
       * @description Type time only: unit of `timeInterval`.
       * @enum {string}
       */
      timeUnit?: 'hour' | 'day';
      /**
       * Format: int64
       * @description Type time only: fires every so many hours, or days of 24 hours, from the user’s creation.
       */
      timeInterval?: number;
      /** @description Always empty. */
      userAttributes: unknown[];
      /**
       * Format: date-time
       * @description Instant of its publication; of a grant, its own.
       * @example 2026-03-01T20:00:00.000Z
       */
      created: string;
      /**
       * Format: date-time
       * @description The same as `created`.
       * @example 2026-03-01T20:00:00.000Z
       */
      updated: string;
    };
    /** @description Why a size is null, with a field for each one. */
    UnknownSizes: {
      /** @description Why `logBytes` is null. */
      logBytes?: string;
      /** @description Why `walBytes` is null. */
      walBytes?: string;
      /** @description Why `freeBytes` and `totalBytes` are null. */
      freeBytes?: string;
    };
    /** @description A user’s profile. */
    User: {
      /**
       * @description The caller’s own identifier of the user.
       * @example ada
       */
      id: string;
      /**
       * @description E-mail address; null if none was given.
       * @example ada@example.org
       */
      email: string | null;
      /**
       * @description Name to show; null if none was given.
       * @example Ada
       */
      name: string | null;
      /**
       * @description Zone of the user’s clock; null if none was given, which is UTC.
       * @example Europe/London
       */
      tz: string | null;
      /**
       * @description Whether the user wants e-mails, as it was last sent; true by default.
       * @example true
       */
      subscribeToEmails: boolean;
      /**
       * @description The user’s attributes.
       * @example {
       *       "plan": "pro"
       *     }
       */
      attributes: {
        [key: string]: string;
      };
      /** @description Always false. */
      control: boolean;
      /**
       * Format: date-time
       * @description When the user was created, by whatever was recorded first for them.
       * @example 2026-03-01T20:00:00.000Z
       */
      created: string;
      /**
       * Format: date-time
       * @description When the profile last changed, without totals.
       * @example 2026-03-01T20:00:00.000Z
       */
      updated: string;
    };
    /** @description Events of a user were corrected. Nothing else is sent of it: read what you keep of the user again. */
    UserCorrectedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'user.corrected';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
      /** @description What now counts differently. */
      corrections: components['schemas']['OutcomeCorrection'][];
      /** @description The runs that changed after they were final, newest first, at most 100: read them again. `leaderboard.finished` is not sent again. Absent if an earlier release made the outcome. */
      finalRuns?: components['schemas']['ChangedFinalRun'][];
      /**
       * Format: int64
       * @description How many more such runs there are.
       * @example 0
       */
      finalRunsLeftOut?: number;
    };
    /** @description Something was recorded of a user for the first time. */
    UserCreatedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'user.created';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
      /** @description The user, as they were when the outcome was made. */
      user: components['schemas']['User'];
    };
    /** @description A user was erased; nobody knows any more who it was. */
    UserErasedOutcome: {
      /**
       * Format: uuid
       * @description Derived from the outcome itself: an outcome that is sent again has the same id.
       */
      id: string;
      /**
       * @description What happened.
       * @constant
       */
      type: 'user.erased';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-03-01T20:00:00.000Z
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Its place among all outcomes of the account, which are in the order of the log.
       * @example 1
       */
      sequence: number;
    };
    /** @description Everything that Laurel holds about a user. */
    UserExport: {
      user: components['schemas']['ExportedProfile'];
      /** @description Total by metric. */
      totals: {
        [key: string]: number;
      };
      /** @description When each achievement was completed, by its key. */
      achievements: {
        [key: string]: string;
      };
      /** @description Total by points system. */
      points: {
        [key: string]: number;
      };
      streak: components['schemas']['ExportedStreak'];
      /** @description In the order of recording. */
      events: components['schemas']['RecordedEvent'][];
      /** @description In the order in which they were recorded. */
      awards: components['schemas']['AwardOfUser'][];
      /** @description The user’s places in every run of every leaderboard, including removed ones. */
      standings: components['schemas']['StandingOfUser'][];
      /** @description By leaderboard and run, oldest first. */
      rankChanges: components['schemas']['RankChangeOfUser'][];
      /** @description The outcomes that are kept (`outgoing.keep`), in the order of the log. */
      outcomes: components['schemas']['OutcomeOfUser'][];
      /** @description The deliveries that are kept, in the order in which they were made. */
      webhookDeliveries: components['schemas']['DeliveryOfUser'][];
    };
    /**
     * @description The caller’s own identifier of the user: 1–255 characters, at least one of them visible, not `.` or `..`, compared byte by byte.
     * @example ada
     */
    UserId: string;
    /** @description A user’s place on a leaderboard in one run. */
    UserLeaderboard: {
      /**
       * Format: uuid
       * @description Stays the same whenever the configuration is published again.
       */
      id: string;
      /**
       * @description Key of the leaderboard.
       * @example weekly
       */
      key: string;
      /**
       * @description Name to show.
       * @example This week
       */
      name: string;
      /** @description Description to show; null if there is none. */
      description: string | null;
      /**
       * @description What users are ranked by: a sum of a metric’s values, of a points system’s awards, or their streak.
       * @enum {string}
       */
      rankBy: 'metric' | 'points' | 'streak';
      /** @description Key of the metric; null unless ranked by one. */
      metricKey: string | null;
      /** @description Name of the metric; null unless ranked by one. */
      metricName: string | null;
      /** @description Key of the points system; null unless ranked by one. */
      pointsSystemKey: string | null;
      /** @description Name of the points system; null unless ranked by one. */
      pointsSystemName: string | null;
      /** @description Unit of a run’s length; null: there is a single run. */
      runUnit: ('day' | 'month' | 'year') | null;
      /**
       * Format: int64
       * @description Length of a run in units; 0: there is a single run.
       */
      runInterval: number;
      /**
       * Format: int64
       * @description Maximum number of ranked users. Users beyond it have a value but no rank.
       */
      maxParticipants: number;
      /**
       * Format: date
       * @description The first date on which anything counts.
       * @example 2026-03-01
       */
      start: string;
      /**
       * Format: date
       * @description The last date on which anything counts; null: there is none.
       * @example 2026-03-01
       */
      end: string | null;
      /** @description Always null. */
      breakdownAttribute: string | null;
      /** @description Always empty. */
      breakdownAttributes: unknown[];
      /** @description Always empty. */
      userAttributes: unknown[];
      /** @description Always null. */
      startTime: string | null;
      /** @description Always null. */
      endTime: string | null;
      /**
       * Format: date
       * @description First date of the run that is shown; null: the leaderboard has not started.
       * @example 2026-03-01
       */
      runStart: string | null;
      /**
       * Format: date
       * @description Last date of that run, at most that of the leaderboard; null: it has none, or the leaderboard has not started.
       * @example 2026-03-01
       */
      runEnd: string | null;
      /**
       * Format: date-time
       * @description When the run last changed after it was final: when the import, the correction or the sweep that changed it was recorded; null: it has not.
       * @example 2026-03-01T20:00:00.000Z
       */
      changedAt: string | null;
      /**
       * Format: int64
       * @description The user’s present rank in the run; 1 is the top. Null: not ranked.
       */
      rank: number | null;
      /**
       * Format: double
       * @description The user’s value in the run; null: none.
       */
      value: number | null;
      /** @description The newest changes of the user’s own value in the run, oldest first. */
      history: components['schemas']['RankHistoryElement'][];
    };
    /** @description A user’s total of a metric, and the achievements that it leads to. */
    UserMetric: {
      /**
       * Format: uuid
       * @description Id of the metric.
       */
      id: string;
      /**
       * @description Key of the metric.
       * @example lessons
       */
      key: string;
      /**
       * @description Name to show.
       * @example Lessons
       */
      name: string;
      /**
       * @description Always `active`.
       * @constant
       */
      status: 'active';
      /**
       * Format: double
       * @description The user’s total.
       * @example 12.5
       */
      current: number;
      /** @description The achievements that depend on the metric; `achievedAt` is null if not complete. */
      achievements: components['schemas']['Achievement'][];
    };
    /** @description A user’s profile, and where they stand. */
    UserOverview: {
      /**
       * @description The caller’s own identifier of the user.
       * @example ada
       */
      id: string;
      /**
       * @description E-mail address; null if none was given.
       * @example ada@example.org
       */
      email: string | null;
      /**
       * @description Name to show; null if none was given.
       * @example Ada
       */
      name: string | null;
      /**
       * @description Zone of the user’s clock; null if none was given, which is UTC.
       * @example Europe/London
       */
      tz: string | null;
      /**
       * @description Whether the user wants e-mails, as it was last sent; true by default.
       * @example true
       */
      subscribeToEmails: boolean;
      /**
       * @description The user’s attributes.
       * @example {
       *       "plan": "pro"
       *     }
       */
      attributes: {
        [key: string]: string;
      };
      /** @description Always false. */
      control: boolean;
      /**
       * Format: date-time
       * @description When the user was created, by whatever was recorded first for them.
       * @example 2026-03-01T20:00:00.000Z
       */
      created: string;
      /**
       * Format: date-time
       * @description When the profile last changed, without totals.
       * @example 2026-03-01T20:00:00.000Z
       */
      updated: string;
      /** @description Each metric for which the user has an event, by key, including metrics that are no longer configured. */
      metrics: components['schemas']['OverviewMetric'][];
      streak: components['schemas']['OverviewStreak'];
      /** @description The completed achievements, in the order of completion. */
      achievements: components['schemas']['OverviewAchievement'][];
      /** @description Every configured system, in configuration order. */
      points: components['schemas']['OverviewPoints'][];
    };
    /** @description A page of users, by id. */
    UserPage: {
      /** @description Ordered by id, byte by byte. There may be fewer than `limit`. */
      users: components['schemas']['User'][];
      /** @description Pass it as `cursor` for the next page; null: this is the last page. */
      next: string | null;
    };
    /** @description A user’s points in one system. */
    UserPoints: {
      /**
       * Format: uuid
       * @description Id of the points system.
       */
      id: string;
      /**
       * @description Key of the points system.
       * @example xp
       */
      key: string;
      /**
       * @description Name to show.
       * @example Experience
       */
      name: string;
      /** @description Description to show; null if there is none. */
      description: string | null;
      /** @description Address of a picture; null if there is none. */
      badgeUrl: string | null;
      /**
       * Format: int64
       * @description No user’s total goes beyond this; null: there is no cap.
       */
      maxPoints: number | null;
      /**
       * Format: int64
       * @description The user’s current total, including time awards that are due.
       * @example 150
       */
      total: number;
      /** @description The user’s level; null if the total is below all levels. */
      level: components['schemas']['PointsLevel'] | null;
      /** @description The newest awards, newest recorded first. */
      awards: components['schemas']['Award'][];
    };
    /** @description The stored state of a user. */
    UserState: {
      /** @description The user’s clock; `UTC` if none was given. */
      tz: string;
      /** @description Total by metric. */
      totals: {
        [key: string]: number;
      };
      /** @description When each achievement was completed, by its key. */
      achievements: {
        [key: string]: string;
      };
      /** @description Total by points system. */
      points: {
        [key: string]: number;
      };
      /** @description Number of awards by points system. */
      awards: {
        [key: string]: number;
      };
      /** @description The last three awards by points system, oldest first: instant, points, total after it. */
      lastAwards: {
        [key: string]: [string, number, number][];
      };
      streak: components['schemas']['StreakState'];
    };
    /** @description A user’s streak as of now. */
    UserStreak: {
      /**
       * Format: int64
       * @description Periods in a row; 0 if no streak is alive.
       * @example 3
       */
      length: number;
      /**
       * @description How long a period is; `daily` if no streak is configured.
       * @enum {string}
       */
      frequency: 'daily' | 'weekly' | 'monthly';
      /**
       * Format: date
       * @description Date of the event that started it, in the user’s time zone; null if no streak is alive.
       * @example 2026-03-01
       */
      started: string | null;
      /**
       * Format: date
       * @description First date of the current period; null if there is none.
       * @example 2026-03-01
       */
      periodStart: string | null;
      /**
       * Format: date
       * @description Last date of the current period; null if there is none.
       * @example 2026-03-01
       */
      periodEnd: string | null;
      /**
       * Format: date
       * @description The last date, in the user’s time zone, on which the streak is alive; null if no streak is.
       * @example 2026-03-01
       */
      expires: string | null;
      /**
       * Format: date-time
       * @description Instant of the last extension; null if no streak is alive.
       * @example 2026-03-01T20:00:00.000Z
       */
      extended: string | null;
      /** @description The newest periods, ending with the current one, oldest first. */
      streakHistory: components['schemas']['StreakHistoryElement'][];
      /** @description Always empty. */
      pauses: unknown[];
      /**
       * Format: int64
       * @description Only with freezes configured: how many the user holds.
       */
      freezes?: number;
      /**
       * Format: int64
       * @description Only with freezes configured: how many a user may hold.
       */
      maxFreezes?: number;
      /**
       * Format: int64
       * @description Only with freezes configured: after how many days of 24 hours more are earned; null: none are earned.
       */
      freezeAutoEarnInterval?: number | null;
      /**
       * Format: int64
       * @description Only with freezes configured: how many are earned then; null: none.
       */
      freezeAutoEarnAmount?: number | null;
    };
    /** @description A page of the events that concern a user, newest first. */
    UserTimeline: {
      /** @description Newest recorded first. */
      events: components['schemas']['TimelineEvent'][];
      /** @description Pass it as `cursor` for the next page; null: this is the last page. */
      next: string | null;
    };
    /** @description What is to be changed of a user. Absent fields stay as they were; null removes a name or an e-mail address, and sets `tz` back to UTC. */
    UserUpdateRequest: {
      /**
       * @description Name to show.
       * @example Ada
       */
      name?: string | null;
      /**
       * @description E-mail address.
       * @example ada@example.org
       */
      email?: string | null;
      /**
       * @description The user’s clock, on which streaks, points and leaderboards are dated: an IANA time zone spelled as there, or `UTC`. It is taken over before the event counts.
       * @example Europe/Berlin
       */
      tz?: string | null;
      /**
       * @description Whether the user wants e-mails; true by default.
       * @example true
       */
      subscribeToEmails?: boolean | null;
      /** @description Tokens of the user’s devices. They replace those sent before; no answer shows them. */
      deviceTokens?: string[] | null;
      /** @description Merged by key; null removes a key. The user has at most 50 after it. */
      attributes?: components['schemas']['AttributeChanges'] | null;
    };
    /** @description The log and the read models, checked against each other. */
    Verification: {
      /**
       * Format: uuid
       * @description The id, valid until the process ends.
       */
      id: string;
      /**
       * @description The current state.
       * @enum {string}
       */
      state: 'running' | 'done' | 'failed';
      /** @description The check under way; null: none is. */
      check: ('log' | 'effects' | 'users' | 'achievements' | 'points' | 'leaderboards' | 'fold' | 'counters') | null;
      /** @description Whether every user is folded as well. */
      full: boolean;
      /**
       * Format: int64
       * @description The records of the log up to this position have been hashed again.
       */
      verified: number;
      /**
       * Format: int64
       * @description The end of the log at the moment that is verified.
       */
      head: number;
      /**
       * Format: int64
       * @description Number of users folded so far; 0 without `full`.
       */
      folded: number;
      /**
       * Format: int64
       * @description Number of users to fold; 0 without `full`.
       */
      users: number;
      /** @description The contradictions found. Empty in the state `done`: there are none. */
      findings: components['schemas']['VerificationFinding'][];
      /** @description Whether there are findings that are not shown. */
      more: boolean;
      /**
       * Format: date-time
       * @description When it began.
       * @example 2026-03-01T20:00:00.000Z
       */
      startedAt: string;
      /**
       * Format: date-time
       * @description When it ended; null while it runs.
       * @example 2026-03-01T20:00:00.000Z
       */
      finishedAt: string | null;
      /** @description Why it failed; what was not checked yet is unknown then. */
      error: string | null;
    };
    /** @description A stored value that contradicts others. */
    VerificationFinding: {
      /**
       * @description The check that found it.
       * @enum {string}
       */
      check: 'log' | 'effects' | 'users' | 'achievements' | 'points' | 'leaderboards' | 'fold' | 'counters';
      /**
       * @description The table that contradicts the rest.
       * @example metric_months
       */
      table: string;
      /** @description The user whose row it is; null: none, or an unknown user. */
      userId: string | null;
      /**
       * Format: int64
       * @description The position in the log that it concerns; null: no single one.
       */
      position: number | null;
      /**
       * Format: uuid
       * @description The event at that position; null: there is none.
       */
      eventId: string | null;
      /** @description What is stored; null: nothing. */
      stored: string | null;
      /** @description What should be stored; null: nothing. */
      expected: string | null;
      /**
       * @description The finding, as a sentence.
       * @example metric_months: lessons on 2026-03-02 of user "ada" is 4 and must be 3.
       */
      message: string;
    };
    /** @description An endpoint that outcomes are sent to, and the state of its deliveries. */
    Webhook: {
      /**
       * Format: uuid
       * @description Its id.
       */
      id: string;
      /** @description The URL that outcomes are sent to. */
      url: string;
      /** @description The description. */
      description: string;
      /** @description The types of outcomes that are sent; null: all. */
      types: string[] | null;
      /**
       * @description user: the outcomes of a user come in order, and one that fails holds back only those of its user. strict: all come in order, one at a time.
       * @enum {string}
       */
      ordering: 'user' | 'strict';
      /** @description Whether `X-Trophy-Signature` is sent as well: base64 of the HMAC-SHA256 of the body by the secret. */
      trophySignature: boolean;
      /**
       * Format: int64
       * @description Seconds in which `points.changed`, `leaderboard.rank_changed` and `leaderboard.changed` are sent at most once for each user and subject; 0: each of them is sent. With `strict` ordering each is.
       * @example 900
       */
      minimumInterval: number;
      /**
       * @description Whether it is enabled. While it is disabled, outcomes wait.
       * @enum {string}
       */
      state: 'enabled' | 'disabled';
      /** @description Why it is disabled; null: it is enabled. */
      disabledBecause: string | null;
      /**
       * Format: date-time
       * @description Since when it has been in this state.
       * @example 2026-03-01T20:00:00.000Z
       */
      stateSince: string;
      /**
       * Format: date-time
       * @description The first failure after the last success. Five days later the endpoint is disabled. null: none.
       * @example 2026-03-01T20:00:00.000Z
       */
      failingSince: string | null;
      /**
       * Format: date-time
       * @description The last successful delivery; null: none yet.
       * @example 2026-03-01T20:00:00.000Z
       */
      lastSuccessAt: string | null;
      /**
       * Format: int64
       * @description Upper bound for the outcomes, of all types, that have not been considered for this endpoint yet.
       */
      behind: number;
      /**
       * Format: int64
       * @description Deliveries that wait for their first or their next attempt, up to 1,000.
       */
      unfinished: number;
      /**
       * Format: int64
       * @description Of these, deliveries held back to be combined with later ones, up to 1,000.
       */
      heldBack: number;
      /**
       * Format: int64
       * @description Deliveries that were given up in the last 30 days, up to 1,000.
       */
      abandoned: number;
      /**
       * Format: date-time
       * @description Since when the oldest undelivered outcome has waited: since it happened or, in a replay or a resend, since that was requested. An outcome also waits while the endpoint is disabled. null: nothing waits, apart from what is held back.
       * @example 2026-03-01T20:00:00.000Z
       */
      oldestAt: string | null;
      /** @description Whether a replay is under way. */
      replaying: boolean;
      /**
       * Format: date-time
       * @description Until when the previous secret also signs; null: there is none.
       * @example 2026-03-01T20:00:00.000Z
       */
      rotatedUntil: string | null;
      /**
       * Format: date-time
       * @description When it was created; what happened before is not sent.
       * @example 2026-03-01T20:00:00.000Z
       */
      createdAt: string;
      /** @description The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it. */
      createdBy: string | null;
      /**
       * @description What keeps the endpoint from getting its types: those that the configuration does not make.
       * @example [
       *       "points.changed is among the types, but the configuration does not make it: name it in outgoing.events"
       *     ]
       */
      warnings: string[];
    };
    /** @description Changes to an endpoint; fields that are absent stay unchanged. */
    WebhookChange: {
      /**
       * @description The URL that outcomes are sent to: https, a public address, without user name and password.
       * @example https://example.com/laurel
       */
      url?: string;
      /** @description The types of outcomes that are sent; null: all. */
      types?: string[] | null;
      /**
       * @description A description, for people.
       * @example mail
       */
      description?: string;
      /**
       * @description user: the outcomes of a user come in order, and one that fails holds back only those of its user. strict: all come in order, one at a time.
       * @enum {string}
       */
      ordering?: 'user' | 'strict';
      /** @description Whether `X-Trophy-Signature` is sent as well: base64 of the HMAC-SHA256 of the body by the secret. */
      trophySignature?: boolean;
      /**
       * Format: int64
       * @description Seconds in which `points.changed`, `leaderboard.rank_changed` and `leaderboard.changed` are sent at most once for each user and subject; 0: each of them is sent. With `strict` ordering each is.
       * @example 900
       */
      minimumInterval?: number;
    };
    /** @description An outcome on its way to an endpoint. */
    WebhookDelivery: {
      /**
       * @description Its id, a number.
       * @example 4711
       */
      id: string;
      /**
       * Format: uuid
       * @description Id of the outcome: the header `webhook-id`.
       */
      outcome: string;
      /**
       * Format: int64
       * @description Sequence of the outcome.
       */
      sequence: number;
      /**
       * @description Type of the outcome.
       * @example achievement.completed
       */
      type: string;
      /** @description Whether it comes from a replay. */
      replay: boolean;
      /**
       * @description waiting: behind another one of its user, or for more to be sent with it. pending: not tried yet. failed: will be tried again. delivered. abandoned: given up.
       * @enum {string}
       */
      state: 'waiting' | 'pending' | 'failed' | 'delivered' | 'abandoned';
      /**
       * Format: int64
       * @description How often it was tried.
       */
      attempts: number;
      /**
       * Format: date-time
       * @description When it is tried next; null: not before another one, or never.
       * @example 2026-03-01T20:00:00.000Z
       */
      nextAttemptAt: string | null;
      /**
       * Format: date-time
       * @description When it was delivered or given up; null: neither.
       * @example 2026-03-01T20:00:00.000Z
       */
      finishedAt: string | null;
      /**
       * Format: int64
       * @description HTTP status of the latest answer; null: there was none.
       */
      status: number | null;
      /**
       * Format: int64
       * @description Duration of the latest attempt in milliseconds; null: there was none.
       */
      tookMs: number | null;
      /** @description The first KiB of the latest answer; null: there was none. */
      response: string | null;
      /** @description Why the latest attempt failed; null: it did not. */
      error: string | null;
    };
    /** @description A page of deliveries. */
    WebhookDeliveryPage: {
      /** @description The newest first. */
      deliveries: components['schemas']['WebhookDelivery'][];
      /** @description Pass it as `cursor` for the next page; null: this is the last page. */
      next: string | null;
    };
    /** @description Which outcomes to send again. */
    WebhookReplayRequest: {
      /**
       * Format: int64
       * @description Sequence of the first outcome that is sent again.
       * @example 1200
       */
      from: number;
      /** @description Only these types; absent or null: those of the endpoint. */
      types?: string[] | null;
    };
    /** @description A new secret. */
    WebhookSecret: {
      /**
       * @description The secret that signs the requests. Only this answer shows it.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
       */
      secret: string;
      /**
       * Format: date-time
       * @description Until when the previous secret also signs; null: there was none.
       * @example 2026-03-01T20:00:00.000Z
       */
      previousUntil: string | null;
    };
    /** @description How far behind a webhook is. */
    WebhookStatus: {
      /**
       * Format: uuid
       * @description Its id.
       */
      id: string;
      /** @description The URL that outcomes are sent to. */
      url: string;
      /**
       * @description Whether it is enabled. While it is disabled, outcomes wait.
       * @enum {string}
       */
      state: 'enabled' | 'disabled';
      /** @description Why it is disabled; null: it is enabled. */
      disabledBecause: string | null;
      /**
       * Format: date-time
       * @description The first failure after the last success. Five days later the endpoint is disabled. null: none.
       * @example 2026-03-01T20:00:00.000Z
       */
      failingSince: string | null;
      /**
       * Format: date-time
       * @description The last successful delivery; null: none yet.
       * @example 2026-03-01T20:00:00.000Z
       */
      lastSuccessAt: string | null;
      /**
       * Format: int64
       * @description Upper bound for the outcomes, of all types, that have not been considered for this endpoint yet.
       */
      behind: number;
      /**
       * Format: int64
       * @description Deliveries that wait for their first or their next attempt, up to 1,000.
       */
      unfinished: number;
      /**
       * Format: int64
       * @description Of these, deliveries held back to be combined with later ones, up to 1,000.
       */
      heldBack: number;
      /**
       * Format: int64
       * @description Deliveries that were given up in the last 30 days, up to 1,000.
       */
      abandoned: number;
      /**
       * Format: date-time
       * @description Since when the oldest undelivered outcome has waited: since it happened or, in a replay or a resend, since that was requested. An outcome also waits while the endpoint is disabled. null: nothing waits, apart from what is held back.
       * @example 2026-03-01T20:00:00.000Z
       */
      oldestAt: string | null;
      /**
       * @description What keeps the endpoint from getting its types: those that the configuration does not make.
       * @example [
       *       "points.changed is among the types, but the configuration does not make it: name it in outgoing.events"
       *     ]
       */
      warnings: string[];
    };
    /** @description How one request with the type `webhook.test` was answered. */
    WebhookTest: {
      /** @description Whether it was answered with 2xx in time. */
      delivered: boolean;
      /**
       * Format: int64
       * @description HTTP status of the latest answer; null: there was none.
       */
      status: number | null;
      /**
       * Format: int64
       * @description Duration of the latest attempt in milliseconds; null: there was none.
       */
      tookMs: number | null;
      /** @description The first KiB of the latest answer; null: there was none. */
      response: string | null;
      /** @description Why the latest attempt failed; null: it did not. */
      error: string | null;
    };
    /** @description A change of a user’s time zone. */
    ZoneChange: {
      /**
       * Format: date-time
       * @description The instant from which dates follow `to`, in UTC.
       * @example 2026-03-01T20:00:00.000Z
       */
      at: string;
      /**
       * @description What the clock of `to` showed at that instant. Its date lies in the period that the change concerns.
       * @example 2026-03-02T09:30:00.000
       */
      localTime: string;
      /**
       * @description The user’s time zone before.
       * @example Europe/Berlin
       */
      from: string;
      /**
       * @description The user’s time zone since then.
       * @example Asia/Tokyo
       */
      to: string;
    };
  };
  responses: {
    /** @description `unauthorized`: The API key is missing, unknown, expired or revoked. */
    Unauthorized: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `forbidden`: The API key lacks the scope. */
    Forbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `rate_limited`: The API key has made more requests within a minute than it may. */
    RateLimited: {
      headers: {
        'Retry-After': components['headers']['Retry-After'];
        RateLimit: components['headers']['RateLimit'];
        'RateLimit-Policy': components['headers']['RateLimit-Policy'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `malformed_body`: The body is empty, not JSON, not UTF-8, nested more than 64 levels deep, or no object. */
    MalformedBody: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unsupported_media_type`: The body is not JSON by its type, or is compressed. */
    UnsupportedMediaType: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `body_too_large`: The body is over 64 KiB (a correction: 320 KiB, a configuration: 1 MiB, a batch: 8 MiB), or a line of a stream is over 64 KiB. */
    BodyTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_metric`: There is no metric with this key. */
    UnknownMetric: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `overloaded`: Too much is waiting already: for the intake, or, in the case of reads below `/admin` and of the console, for the database. Nothing was recorded.
     *     - `outcome_unknown`: The connection to the database broke, and whether the event was recorded is not known. A retry with the same idempotency key is safe; one without may count twice.
     *     - `state_damaged`: What is stored of this user cannot be read; nothing was recorded. It names the command that repairs it. Replays are answered.
     *     - `unavailable`: The database cannot be reached; nothing was recorded.
     *     - `starting`: The process starts and serves nothing but `/healthz` yet; nothing was recorded. The sentence names the step.
     */
    OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting: {
      headers: {
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `invalid_request`: Fields or parameters are missing, of a wrong type or out of bounds; `errors` lists every one. */
    InvalidRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `internal`: Our bug; the log has more under the `incidentId`. */
    Internal: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `unknown_path`: There is nothing at this path.
     *     - `method_not_allowed`: The path is there, the method is not; `Allow` names those that are.
     *     - `malformed_request`: HTTP itself is broken.
     *     - `request_timeout`: The request took too long, or nothing happened on a stream for two minutes.
     *     - `expectation_failed`: The header `Expect` asks for something that is not known.
     *     - `headers_too_large`: The path or the headers are too large.
     */
    RefusedByHttp: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_user`: There is no user. */
    UnknownUser: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `overloaded`: Too much is waiting already: for the intake, or, in the case of reads below `/admin` and of the console, for the database. Nothing was recorded.
     *     - `unavailable`: The database cannot be reached; nothing was recorded.
     *     - `starting`: The process starts and serves nothing but `/healthz` yet; nothing was recorded. The sentence names the step.
     */
    OverloadedOrUnavailableOrStarting: {
      headers: {
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `unknown_user`: There is no user.
     *     - `unknown_metric`: There is no metric with this key.
     */
    UnknownUserOrUnknownMetric: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_achievement`: There is no achievement with this key. */
    UnknownAchievement: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `unknown_user`: There is no user.
     *     - `unknown_points_system`: There is no points system with this key.
     */
    UnknownUserOrUnknownPointsSystem: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_points_system`: There is no points system with this key. */
    UnknownPointsSystem: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `unknown_leaderboard`: There is no leaderboard with this key.
     *     - `unknown_run`: The date is outside of the leaderboard’s start and end.
     */
    UnknownLeaderboardOrUnknownRun: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `unknown_user`: There is no user.
     *     - `unknown_leaderboard`: There is no leaderboard with this key.
     *     - `unknown_run`: The date is outside of the leaderboard’s start and end.
     */
    UnknownUserOrUnknownLeaderboardOrUnknownRun: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_leaderboard`: There is no leaderboard with this key. */
    UnknownLeaderboard: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `import_open`: An import is open: until it is finished, nobody gets a grant, a correction or an erasure.
     *     - `invalid_request`: Fields or parameters are missing, of a wrong type or out of bounds; `errors` lists every one.
     */
    ImportOpenOrInvalidRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_event`: There is no event. */
    UnknownEvent: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `import_open`: An import is open: until it is finished, nobody gets a grant, a correction or an erasure.
     *     - `not_in_this_topology`: The processes of this installation cannot answer that; the sentence names the missing piece.
     *     - `invalid_request`: Fields or parameters are missing, of a wrong type or out of bounds; `errors` lists every one.
     */
    ImportOpenOrNotInThisTopologyOrInvalidRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `overloaded`: Too much is waiting already: for the intake, or, in the case of reads below `/admin` and of the console, for the database. Nothing was recorded.
     *     - `state_damaged`: What is stored of this user cannot be read; nothing was recorded. It names the command that repairs it. Replays are answered.
     *     - `unavailable`: The database cannot be reached; nothing was recorded.
     *     - `starting`: The process starts and serves nothing but `/healthz` yet; nothing was recorded. The sentence names the step.
     */
    OverloadedOrStateDamagedOrUnavailableOrStarting: {
      headers: {
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `import_open`: An import is open: until it is finished, nobody gets a grant, a correction or an erasure.
     *     - `stale_preview`: The preview is of another request, or one of its users was corrected since.
     *     - `not_in_this_topology`: The processes of this installation cannot answer that; the sentence names the missing piece.
     *     - `invalid_request`: Fields or parameters are missing, of a wrong type or out of bounds; `errors` lists every one.
     */
    ImportOpenOrStalePreviewOrNotInThisTopologyOrInvalidRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `unknown_user`: There is no user.
     *     - `unknown_points_system`: There is no points system with this key.
     *     - `unknown_event`: There is no event.
     */
    UnknownUserOrUnknownPointsSystemOrUnknownEvent: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `unknown_user`: There is no user.
     *     - `unknown_achievement`: There is no achievement with this key.
     */
    UnknownUserOrUnknownAchievement: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `unknown_user`: There is no user.
     *     - `unknown_leaderboard`: There is no leaderboard with this key.
     */
    UnknownUserOrUnknownLeaderboard: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `unavailable`: The database cannot be reached; nothing was recorded.
     *     - `starting`: The process starts and serves nothing but `/healthz` yet; nothing was recorded. The sentence names the step.
     */
    UnavailableOrStarting: {
      headers: {
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `cursor_expired`: What comes behind the cursor is not kept any more; the sentence names the oldest cursor that is. */
    CursorExpired: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `not_in_this_topology`: The processes of this installation cannot answer that; the sentence names the missing piece.
     *     - `invalid_request`: Fields or parameters are missing, of a wrong type or out of bounds; `errors` lists every one.
     */
    NotInThisTopologyOrInvalidRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `stale_plan`: Another configuration was published since the plan was made, or the plan is of another document; nothing was published.
     *     - `invalid_request`: Fields or parameters are missing, of a wrong type or out of bounds; `errors` lists every one.
     */
    StalePlanOrInvalidRequest: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_configuration`: There is no such version. */
    UnknownConfiguration: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_rebuild`: There is no rebuild. */
    UnknownRebuild: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_verification`: There is no verification. */
    UnknownVerification: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `unknown_points_system`: There is no points system with this key.
     *     - `unknown_level`: There is no level with this key.
     */
    UnknownPointsSystemOrUnknownLevel: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `invalid_request`: Fields or parameters are missing, of a wrong type or out of bounds; `errors` lists every one.
     *     - `import_open`: An import is open: until it is finished, nobody gets a grant, a correction or an erasure.
     */
    InvalidRequestOrImportOpen: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_key`: There is no API key. */
    UnknownKey: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `not_in_this_topology`: The processes of this installation cannot answer that; the sentence names the missing piece. */
    NotInThisTopology: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_webhook`: There is no webhook. */
    UnknownWebhook: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `invalid_request`: Fields or parameters are missing, of a wrong type or out of bounds; `errors` lists every one.
     *     - `not_in_this_topology`: The processes of this installation cannot answer that; the sentence names the missing piece.
     */
    InvalidRequestOrNotInThisTopology: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `unknown_webhook`: There is no webhook.
     *     - `unknown_delivery`: The webhook has no such delivery, or it is kept no longer.
     */
    UnknownWebhookOrUnknownDelivery: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_path`: There is nothing at this path. */
    UnknownPath: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unavailable`: The database cannot be reached; nothing was recorded. */
    Unavailable: {
      headers: {
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `overloaded`: Too much is waiting already: for the intake, or, in the case of reads below `/admin` and of the console, for the database. Nothing was recorded.
     *     - `unavailable`: The database cannot be reached; nothing was recorded.
     */
    OverloadedOrUnavailable: {
      headers: {
        'Retry-After': components['headers']['Retry-After'];
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /**
     * @description - `forbidden`: The API key lacks the scope.
     *     - `forbidden`: The API key lacks the scope.
     */
    ForbiddenOrForbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
    /** @description `unknown_session`: There is no session. */
    UnknownSession: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/problem+json': components['schemas']['Problem'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: {
    /**
     * @description Seconds after which the request is worth sending again.
     * @example 1
     */
    'Retry-After': number;
    /**
     * @description What is left: `r` requests, and `t` seconds until the whole limit is there again.
     * @example "default";r=0;t=60
     */
    RateLimit: string;
    /**
     * @description The limit: `q` requests in `w` seconds.
     * @example "default";q=60;w=60
     */
    'RateLimit-Policy': string;
  };
  pathItems: never;
}
export type AccountState = components['schemas']['AccountState'];
export type Achievement = components['schemas']['Achievement'];
export type AchievementCompletedOutcome = components['schemas']['AchievementCompletedOutcome'];
export type AchievementDueOutcome = components['schemas']['AchievementDueOutcome'];
export type AchievementGrantRequest = components['schemas']['AchievementGrantRequest'];
export type Alive = components['schemas']['Alive'];
export type ApiKey = components['schemas']['ApiKey'];
export type AreaName = components['schemas']['AreaName'];
export type AreaStatus = components['schemas']['AreaStatus'];
export type AttributeChanges = components['schemas']['AttributeChanges'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditPage = components['schemas']['AuditPage'];
export type Award = components['schemas']['Award'];
export type AwardOfUser = components['schemas']['AwardOfUser'];
export type BatchAnswer = components['schemas']['BatchAnswer'];
export type BatchItem = components['schemas']['BatchItem'];
export type BatchRequest = components['schemas']['BatchRequest'];
export type BatchResult = components['schemas']['BatchResult'];
export type BoardPlace = components['schemas']['BoardPlace'];
export type BytesPerEvent = components['schemas']['BytesPerEvent'];
export type CausingEvent = components['schemas']['CausingEvent'];
export type ChainServiceStatus = components['schemas']['ChainServiceStatus'];
export type ChangedFinalRun = components['schemas']['ChangedFinalRun'];
export type CompleteAchievementRequest = components['schemas']['CompleteAchievementRequest'];
export type Completion = components['schemas']['Completion'];
export type CompletionAnswer = components['schemas']['CompletionAnswer'];
export type CompletionPage = components['schemas']['CompletionPage'];
export type ComponentHealth = components['schemas']['ComponentHealth'];
export type ConfigurationPlan = components['schemas']['ConfigurationPlan'];
export type ConfigurationPublishedOutcome = components['schemas']['ConfigurationPublishedOutcome'];
export type ConfigurationRequest = components['schemas']['ConfigurationRequest'];
export type ConfigurationVersion = components['schemas']['ConfigurationVersion'];
export type ConsoleLink = components['schemas']['ConsoleLink'];
export type ConsoleLinkRequest = components['schemas']['ConsoleLinkRequest'];
export type ConsoleSession = components['schemas']['ConsoleSession'];
export type Contribution = components['schemas']['Contribution'];
export type CorrectEventsRequest = components['schemas']['CorrectEventsRequest'];
export type CorrectedEvent = components['schemas']['CorrectedEvent'];
export type CorrectedInstant = components['schemas']['CorrectedInstant'];
export type CorrectedValue = components['schemas']['CorrectedValue'];
export type CorrectedZone = components['schemas']['CorrectedZone'];
export type CorrectionAnswer = components['schemas']['CorrectionAnswer'];
export type CorrectionOfEvent = components['schemas']['CorrectionOfEvent'];
export type CorrectionPreview = components['schemas']['CorrectionPreview'];
export type CorrectionsOfEvent = components['schemas']['CorrectionsOfEvent'];
export type CountedAward = components['schemas']['CountedAward'];
export type CreatedApiKey = components['schemas']['CreatedApiKey'];
export type CreatedWebhook = components['schemas']['CreatedWebhook'];
export type CurrentSession = components['schemas']['CurrentSession'];
export type CurrentStreak = components['schemas']['CurrentStreak'];
export type DamagedUser = components['schemas']['DamagedUser'];
export type DayCounts = components['schemas']['DayCounts'];
export type Days = components['schemas']['Days'];
export type DeliveryOfUser = components['schemas']['DeliveryOfUser'];
export type Digest = components['schemas']['Digest'];
export type DigestLine = components['schemas']['DigestLine'];
export type DisabledEndpoint = components['schemas']['DisabledEndpoint'];
export type Effect = components['schemas']['Effect'];
export type EffectsByArea = components['schemas']['EffectsByArea'];
export type EndpointDisabledOutcome = components['schemas']['EndpointDisabledOutcome'];
export type Erasure = components['schemas']['Erasure'];
export type ErasurePlace = components['schemas']['ErasurePlace'];
export type EventAnswer = components['schemas']['EventAnswer'];
export type EventAttributes = components['schemas']['EventAttributes'];
export type EventPoints = components['schemas']['EventPoints'];
export type ExcusedGrantRequest = components['schemas']['ExcusedGrantRequest'];
export type ExplainedAchievement = components['schemas']['ExplainedAchievement'];
export type ExplainedAward = components['schemas']['ExplainedAward'];
export type ExplainedEvent = components['schemas']['ExplainedEvent'];
export type ExplainedPeriod = components['schemas']['ExplainedPeriod'];
export type ExplainedPoints = components['schemas']['ExplainedPoints'];
export type ExplainedPointsOfEvent = components['schemas']['ExplainedPointsOfEvent'];
export type ExplainedStanding = components['schemas']['ExplainedStanding'];
export type ExplainedStreak = components['schemas']['ExplainedStreak'];
export type ExportedAward = components['schemas']['ExportedAward'];
export type ExportedEvent = components['schemas']['ExportedEvent'];
export type ExportedProfile = components['schemas']['ExportedProfile'];
export type ExportedRanking = components['schemas']['ExportedRanking'];
export type ExportedStreak = components['schemas']['ExportedStreak'];
export type ExportedWinner = components['schemas']['ExportedWinner'];
export type FinishImportAnswer = components['schemas']['FinishImportAnswer'];
export type FinishImportRequest = components['schemas']['FinishImportRequest'];
export type FreezeConsumedOutcome = components['schemas']['FreezeConsumedOutcome'];
export type FreezeEarnedOutcome = components['schemas']['FreezeEarnedOutcome'];
export type FreezesGrantRequest = components['schemas']['FreezesGrantRequest'];
export type GrantAnswer = components['schemas']['GrantAnswer'];
export type GrantIssue = components['schemas']['GrantIssue'];
export type GrantToManyAnswer = components['schemas']['GrantToManyAnswer'];
export type GrantToManyRequest = components['schemas']['GrantToManyRequest'];
export type HeldBackConfiguration = components['schemas']['HeldBackConfiguration'];
export type IdentifyRequest = components['schemas']['IdentifyRequest'];
export type ImportAnswer = components['schemas']['ImportAnswer'];
export type ImportFinishedOutcome = components['schemas']['ImportFinishedOutcome'];
export type ImportRequest = components['schemas']['ImportRequest'];
export type KeptPeriod = components['schemas']['KeptPeriod'];
export type LaneStatus = components['schemas']['LaneStatus'];
export type LastFailure = components['schemas']['LastFailure'];
export type Leaderboard = components['schemas']['Leaderboard'];
export type LeaderboardChangedOutcome = components['schemas']['LeaderboardChangedOutcome'];
export type LeaderboardEventEntry = components['schemas']['LeaderboardEventEntry'];
export type LeaderboardFinishedOutcome = components['schemas']['LeaderboardFinishedOutcome'];
export type LeaderboardRun = components['schemas']['LeaderboardRun'];
export type LeaderboardRunPage = components['schemas']['LeaderboardRunPage'];
export type LeaderboardStartedOutcome = components['schemas']['LeaderboardStartedOutcome'];
export type LevelChangedOutcome = components['schemas']['LevelChangedOutcome'];
export type LevelUser = components['schemas']['LevelUser'];
export type LevelUserPage = components['schemas']['LevelUserPage'];
export type LevelUsers = components['schemas']['LevelUsers'];
export type ListedAchievement = components['schemas']['ListedAchievement'];
export type ListedLeaderboard = components['schemas']['ListedLeaderboard'];
export type LiveEvent = components['schemas']['LiveEvent'];
export type LiveEvents = components['schemas']['LiveEvents'];
export type LogHead = components['schemas']['LogHead'];
export type LogProof = components['schemas']['LogProof'];
export type LoggedCloudEvent = components['schemas']['LoggedCloudEvent'];
export type LoggedEvent = components['schemas']['LoggedEvent'];
export type MetricBucket = components['schemas']['MetricBucket'];
export type MetricEventRequest = components['schemas']['MetricEventRequest'];
export type MetricOfDay = components['schemas']['MetricOfDay'];
export type MissedTrigger = components['schemas']['MissedTrigger'];
export type MissingRoutes = components['schemas']['MissingRoutes'];
export type NamedUser = components['schemas']['NamedUser'];
export type NeighbouringPlace = components['schemas']['NeighbouringPlace'];
export type NewKeyRequest = components['schemas']['NewKeyRequest'];
export type NewWebhookRequest = components['schemas']['NewWebhookRequest'];
export type NotReady = components['schemas']['NotReady'];
export type NotificationChanges = components['schemas']['NotificationChanges'];
export type NotificationPreferences = components['schemas']['NotificationPreferences'];
export type OpenImport = components['schemas']['OpenImport'];
export type OpenImportAnswer = components['schemas']['OpenImportAnswer'];
export type Outcome = components['schemas']['Outcome'];
export type OutcomeCloudEvent = components['schemas']['OutcomeCloudEvent'];
export type OutcomeCorrection = components['schemas']['OutcomeCorrection'];
export type OutcomeLeaderboard = components['schemas']['OutcomeLeaderboard'];
export type OutcomeMissing = components['schemas']['OutcomeMissing'];
export type OutcomeOfUser = components['schemas']['OutcomeOfUser'];
export type OutcomeRankings = components['schemas']['OutcomeRankings'];
export type OutcomeReactivation = components['schemas']['OutcomeReactivation'];
export type OutcomeRecap = components['schemas']['OutcomeRecap'];
export type OutcomeStreak = components['schemas']['OutcomeStreak'];
export type OverviewAchievement = components['schemas']['OverviewAchievement'];
export type OverviewMetric = components['schemas']['OverviewMetric'];
export type OverviewPoints = components['schemas']['OverviewPoints'];
export type OverviewStreak = components['schemas']['OverviewStreak'];
export type PlannedChange = components['schemas']['PlannedChange'];
export type PointsBucket = components['schemas']['PointsBucket'];
export type PointsChangedOutcome = components['schemas']['PointsChangedOutcome'];
export type PointsGrantRequest = components['schemas']['PointsGrantRequest'];
export type PointsLevel = components['schemas']['PointsLevel'];
export type PointsOfDay = components['schemas']['PointsOfDay'];
export type PointsRange = components['schemas']['PointsRange'];
export type PointsSystem = components['schemas']['PointsSystem'];
export type Preferences = components['schemas']['Preferences'];
export type PreferencesRequest = components['schemas']['PreferencesRequest'];
export type PreviewCorrectionRequest = components['schemas']['PreviewCorrectionRequest'];
export type PreviewedUser = components['schemas']['PreviewedUser'];
export type Problem = components['schemas']['Problem'];
export type ProblemItem = components['schemas']['ProblemItem'];
export type PublishedConfiguration = components['schemas']['PublishedConfiguration'];
export type QueueStatus = components['schemas']['QueueStatus'];
export type RankChangeOfUser = components['schemas']['RankChangeOfUser'];
export type RankChangedOutcome = components['schemas']['RankChangedOutcome'];
export type RankHistoryElement = components['schemas']['RankHistoryElement'];
export type RankLostOutcome = components['schemas']['RankLostOutcome'];
export type RankedState = components['schemas']['RankedState'];
export type RankedStreak = components['schemas']['RankedStreak'];
export type Ranking = components['schemas']['Ranking'];
export type ReachedAt = components['schemas']['ReachedAt'];
export type ReactivationDueOutcome = components['schemas']['ReactivationDueOutcome'];
export type Ready = components['schemas']['Ready'];
export type Rebuild = components['schemas']['Rebuild'];
export type RebuildDifference = components['schemas']['RebuildDifference'];
export type RebuildRequest = components['schemas']['RebuildRequest'];
export type RecapDueOutcome = components['schemas']['RecapDueOutcome'];
export type RecordedCorrection = components['schemas']['RecordedCorrection'];
export type RecordedEvent = components['schemas']['RecordedEvent'];
export type RequestedCorrection = components['schemas']['RequestedCorrection'];
export type RestoreStreaksAnswer = components['schemas']['RestoreStreaksAnswer'];
export type RestoreStreaksRequest = components['schemas']['RestoreStreaksRequest'];
export type Scope = components['schemas']['Scope'];
export type ServiceStatus = components['schemas']['ServiceStatus'];
export type SignInRequest = components['schemas']['SignInRequest'];
export type StandingOfUser = components['schemas']['StandingOfUser'];
export type StoppedPartition = components['schemas']['StoppedPartition'];
export type StorageStatus = components['schemas']['StorageStatus'];
export type StreakAtRiskOutcome = components['schemas']['StreakAtRiskOutcome'];
export type StreakExtendedOutcome = components['schemas']['StreakExtendedOutcome'];
export type StreakFreezesAnswer = components['schemas']['StreakFreezesAnswer'];
export type StreakFreezesRequest = components['schemas']['StreakFreezesRequest'];
export type StreakGrantRequest = components['schemas']['StreakGrantRequest'];
export type StreakHistoryElement = components['schemas']['StreakHistoryElement'];
export type StreakLengthCount = components['schemas']['StreakLengthCount'];
export type StreakLostOutcome = components['schemas']['StreakLostOutcome'];
export type StreakReminderDueOutcome = components['schemas']['StreakReminderDueOutcome'];
export type StreakStartedOutcome = components['schemas']['StreakStartedOutcome'];
export type StreakState = components['schemas']['StreakState'];
export type StreakSurvival = components['schemas']['StreakSurvival'];
export type StreamEnd = components['schemas']['StreamEnd'];
export type StreamResult = components['schemas']['StreamResult'];
export type TimelineEvent = components['schemas']['TimelineEvent'];
export type Trigger = components['schemas']['Trigger'];
export type UnknownSizes = components['schemas']['UnknownSizes'];
export type User = components['schemas']['User'];
export type UserCorrectedOutcome = components['schemas']['UserCorrectedOutcome'];
export type UserCreatedOutcome = components['schemas']['UserCreatedOutcome'];
export type UserErasedOutcome = components['schemas']['UserErasedOutcome'];
export type UserExport = components['schemas']['UserExport'];
export type UserId = components['schemas']['UserId'];
export type UserLeaderboard = components['schemas']['UserLeaderboard'];
export type UserMetric = components['schemas']['UserMetric'];
export type UserOverview = components['schemas']['UserOverview'];
export type UserPage = components['schemas']['UserPage'];
export type UserPoints = components['schemas']['UserPoints'];
export type UserState = components['schemas']['UserState'];
export type UserStreak = components['schemas']['UserStreak'];
export type UserTimeline = components['schemas']['UserTimeline'];
export type UserUpdateRequest = components['schemas']['UserUpdateRequest'];
export type Verification = components['schemas']['Verification'];
export type VerificationFinding = components['schemas']['VerificationFinding'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookChange = components['schemas']['WebhookChange'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryPage = components['schemas']['WebhookDeliveryPage'];
export type WebhookReplayRequest = components['schemas']['WebhookReplayRequest'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type WebhookStatus = components['schemas']['WebhookStatus'];
export type WebhookTest = components['schemas']['WebhookTest'];
export type ZoneChange = components['schemas']['ZoneChange'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseMalformedBody = components['responses']['MalformedBody'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseBodyTooLarge = components['responses']['BodyTooLarge'];
export type ResponseUnknownMetric = components['responses']['UnknownMetric'];
export type ResponseOverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting =
  components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
export type ResponseInvalidRequest = components['responses']['InvalidRequest'];
export type ResponseInternal = components['responses']['Internal'];
export type ResponseRefusedByHttp = components['responses']['RefusedByHttp'];
export type ResponseUnknownUser = components['responses']['UnknownUser'];
export type ResponseOverloadedOrUnavailableOrStarting = components['responses']['OverloadedOrUnavailableOrStarting'];
export type ResponseUnknownUserOrUnknownMetric = components['responses']['UnknownUserOrUnknownMetric'];
export type ResponseUnknownAchievement = components['responses']['UnknownAchievement'];
export type ResponseUnknownUserOrUnknownPointsSystem = components['responses']['UnknownUserOrUnknownPointsSystem'];
export type ResponseUnknownPointsSystem = components['responses']['UnknownPointsSystem'];
export type ResponseUnknownLeaderboardOrUnknownRun = components['responses']['UnknownLeaderboardOrUnknownRun'];
export type ResponseUnknownUserOrUnknownLeaderboardOrUnknownRun =
  components['responses']['UnknownUserOrUnknownLeaderboardOrUnknownRun'];
export type ResponseUnknownLeaderboard = components['responses']['UnknownLeaderboard'];
export type ResponseImportOpenOrInvalidRequest = components['responses']['ImportOpenOrInvalidRequest'];
export type ResponseUnknownEvent = components['responses']['UnknownEvent'];
export type ResponseImportOpenOrNotInThisTopologyOrInvalidRequest =
  components['responses']['ImportOpenOrNotInThisTopologyOrInvalidRequest'];
export type ResponseOverloadedOrStateDamagedOrUnavailableOrStarting =
  components['responses']['OverloadedOrStateDamagedOrUnavailableOrStarting'];
export type ResponseImportOpenOrStalePreviewOrNotInThisTopologyOrInvalidRequest =
  components['responses']['ImportOpenOrStalePreviewOrNotInThisTopologyOrInvalidRequest'];
export type ResponseUnknownUserOrUnknownPointsSystemOrUnknownEvent =
  components['responses']['UnknownUserOrUnknownPointsSystemOrUnknownEvent'];
export type ResponseUnknownUserOrUnknownAchievement = components['responses']['UnknownUserOrUnknownAchievement'];
export type ResponseUnknownUserOrUnknownLeaderboard = components['responses']['UnknownUserOrUnknownLeaderboard'];
export type ResponseUnavailableOrStarting = components['responses']['UnavailableOrStarting'];
export type ResponseCursorExpired = components['responses']['CursorExpired'];
export type ResponseNotInThisTopologyOrInvalidRequest = components['responses']['NotInThisTopologyOrInvalidRequest'];
export type ResponseStalePlanOrInvalidRequest = components['responses']['StalePlanOrInvalidRequest'];
export type ResponseUnknownConfiguration = components['responses']['UnknownConfiguration'];
export type ResponseUnknownRebuild = components['responses']['UnknownRebuild'];
export type ResponseUnknownVerification = components['responses']['UnknownVerification'];
export type ResponseUnknownPointsSystemOrUnknownLevel = components['responses']['UnknownPointsSystemOrUnknownLevel'];
export type ResponseInvalidRequestOrImportOpen = components['responses']['InvalidRequestOrImportOpen'];
export type ResponseUnknownKey = components['responses']['UnknownKey'];
export type ResponseNotInThisTopology = components['responses']['NotInThisTopology'];
export type ResponseUnknownWebhook = components['responses']['UnknownWebhook'];
export type ResponseInvalidRequestOrNotInThisTopology = components['responses']['InvalidRequestOrNotInThisTopology'];
export type ResponseUnknownWebhookOrUnknownDelivery = components['responses']['UnknownWebhookOrUnknownDelivery'];
export type ResponseUnknownPath = components['responses']['UnknownPath'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseOverloadedOrUnavailable = components['responses']['OverloadedOrUnavailable'];
export type ResponseForbiddenOrForbidden = components['responses']['ForbiddenOrForbidden'];
export type ResponseUnknownSession = components['responses']['UnknownSession'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimit-Policy'];
export type $defs = Record<string, never>;
export interface operations {
  recordMetricEvent: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user and metric, for ever. The first use is 201; every later one is 202 and changes nothing, whatever its valid body says.
         * @example lesson-42
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The metric’s key.
         * @example lessons
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MetricEventRequest'];
      };
    };
    responses: {
      /** @description Recorded. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventAnswer'];
        };
      };
      /** @description A replay: the key was used before. Nothing changed; the answer shows the state as of now. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownMetric'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  recordApiMetricEvent: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user and metric, for ever. The first use is 201; every later one is 202 and changes nothing, whatever its valid body says.
         * @example lesson-42
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The metric’s key.
         * @example lessons
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MetricEventRequest'];
      };
    };
    responses: {
      /** @description Recorded. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventAnswer'];
        };
      };
      /** @description A replay: the key was used before. Nothing changed; the answer shows the state as of now. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownMetric'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  identifyUser: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['IdentifyRequest'];
      };
    };
    responses: {
      /** @description The user existed and was updated. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['User'];
        };
      };
      /** @description The user was created. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['User'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The user. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['User'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  putUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UserUpdateRequest'];
      };
    };
    responses: {
      /** @description The user, created or updated. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['User'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  updateUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UserUpdateRequest'];
      };
    };
    responses: {
      /** @description The user, updated. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['User'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getUserPreferences: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The channels by type. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preferences'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  updateUserPreferences: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PreferencesRequest'];
      };
    };
    responses: {
      /** @description The channels by type, changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Preferences'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listUserMetrics: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every metric, in configuration order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserMetric'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getUserMetric: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
        /**
         * @description The metric’s key.
         * @example lessons
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The metric. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserMetric'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUserOrUnknownMetric'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  summarizeUserMetric: {
    parameters: {
      query: {
        /** @description The length of a period. Weeks begin as the configuration says. */
        aggregation: 'daily' | 'weekly' | 'monthly';
        /**
         * @description First date, inclusive.
         * @example 2026-03-01
         */
        start_date: string;
        /**
         * @description Last date, inclusive, at most 400 days in all.
         * @example 2026-03-01
         */
        end_date: string;
      };
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
        /**
         * @description The metric’s key.
         * @example lessons
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The periods, oldest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MetricBucket'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUserOrUnknownMetric'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listAchievements: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The achievements in configuration order; `achievedAt` is null. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ListedAchievement'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listUserAchievements: {
    parameters: {
      query?: {
        /** @description Also those that the user has not completed. */
        includeIncomplete?: 'true' | 'false';
      };
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The completed achievements, or all, in configuration order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ListedAchievement'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  completeAchievement: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The achievement’s key.
         * @example profile
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CompleteAchievementRequest'];
      };
    };
    responses: {
      /** @description Completed by this call. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CompletionAnswer'];
        };
      };
      /** @description It was already complete: nothing is recorded, not even changes to the user. `achievements`, `points` and `leaderboards` are empty. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CompletionAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownAchievement'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getUserStreak: {
    parameters: {
      query?: {
        /** @description How many periods of history, ending with the current one. */
        historyPeriods?: number;
      };
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The streak as of now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserStreak'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listStreaks: {
    parameters: {
      query: {
        /**
         * @description The users. Repeat the parameter, or separate ids by commas. Only a literal comma separates: an escaped one (`%2C`) belongs to an id, so a client that escapes commas repeats the parameter.
         * @example [
         *       "ada",
         *       "grace"
         *     ]
         */
        userIds: string[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Longest first; equal ones in the order of the request. Unknown users have 0 and null. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RankedStreak'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getStreakSurvival: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How many streaks reached each length, and how many ended at it. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StreakSurvival'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getUserPoints: {
    parameters: {
      query?: {
        /** @description How many of the newest awards to show. */
        awards?: number;
      };
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
        /**
         * @description The points system’s key.
         * @example xp
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Total, level and newest awards as of now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserPoints'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUserOrUnknownPointsSystem'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  summarizeUserPoints: {
    parameters: {
      query: {
        /** @description The length of a period. Weeks begin as the configuration says. */
        aggregation: 'daily' | 'weekly' | 'monthly';
        /**
         * @description First date, inclusive.
         * @example 2026-03-01
         */
        start_date: string;
        /**
         * @description Last date, inclusive, at most 400 days in all.
         * @example 2026-03-01
         */
        end_date: string;
      };
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
        /**
         * @description The points system’s key.
         * @example xp
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The periods, oldest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PointsBucket'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUserOrUnknownPointsSystem'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listPointsSystems: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The configured systems, each with its triggers. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PointsSystem'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getPointsSystem: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The points system’s key.
         * @example xp
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The system with its triggers. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PointsSystem'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownPointsSystem'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listPointsLevels: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The points system’s key.
         * @example xp
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The levels by their points, lowest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PointsLevel'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownPointsSystem'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  countUsersByLevel: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The points system’s key.
         * @example xp
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The levels by their points, lowest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LevelUsers'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownPointsSystem'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  countUsersByPoints: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The points system’s key.
         * @example xp
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The ranges, lowest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PointsRange'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownPointsSystem'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listLeaderboards: {
    parameters: {
      query?: {
        /** @description Finished leaderboards as well. */
        includeFinished?: 'true' | 'false';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description In configuration order, without rankings. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ListedLeaderboard'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getLeaderboard: {
    parameters: {
      query?: {
        /** @description Any date within the run. Absent: the run of the current UTC date, or the last one if the board is over. */
        run?: string;
        /** @description How many rows to pass over. */
        offset?: number;
        /** @description How many rows to show; 0: none. */
        limit?: number;
        /**
         * @description The offset counts from this user’s place. No rows if the user is not ranked or unknown.
         * @example ada
         */
        userId?: string;
      };
      header?: never;
      path: {
        /**
         * @description The leaderboard’s key.
         * @example weekly
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The leaderboard and its rankings, which are empty before it has started. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Leaderboard'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownLeaderboardOrUnknownRun'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getUserLeaderboard: {
    parameters: {
      query?: {
        /** @description Any date within the run. Absent: the run of the user’s own date, or the last one if the board is over. */
        run?: string;
        /** @description How many of the user’s newest changes of value to show. */
        numEvents?: number;
      };
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
        /**
         * @description The leaderboard’s key.
         * @example weekly
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Rank, value, and the latest changes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserLeaderboard'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUserOrUnknownLeaderboardOrUnknownRun'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listLeaderboardRuns: {
    parameters: {
      query?: {
        /** @description How many to show at most. */
        limit?: number;
        /** @description `next` of the previous page: what follows it. Absent: from the beginning. */
        cursor?: string;
      };
      header?: never;
      path: {
        /**
         * @description The leaderboard’s key.
         * @example weekly
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of runs. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LeaderboardRunPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownLeaderboard'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  grantPoints: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user and kind of grant, for ever. The first use is 201; every later one is 202 and changes nothing, whatever its valid body says.
         * @example ticket-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PointsGrantRequest'];
      };
    };
    responses: {
      /** @description Recorded. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      /** @description A replay: the key was used before. Nothing changed; the answer shows the state as of now. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ImportOpenOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  grantFreezes: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user and kind of grant, for ever. The first use is 201; every later one is 202 and changes nothing, whatever its valid body says.
         * @example ticket-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['FreezesGrantRequest'];
      };
    };
    responses: {
      /** @description Recorded. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      /** @description A replay: the key was used before. Nothing changed; the answer shows the state as of now. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ImportOpenOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  restoreStreak: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user and kind of grant, for ever. The first use is 201; every later one is 202 and changes nothing, whatever its valid body says.
         * @example ticket-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StreakGrantRequest'];
      };
    };
    responses: {
      /** @description Recorded. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      /** @description A replay: the key was used before. Nothing changed; the answer shows the state as of now. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ImportOpenOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  excuseDays: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user and kind of grant, for ever. The first use is 201; every later one is 202 and changes nothing, whatever its valid body says.
         * @example ticket-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ExcusedGrantRequest'];
      };
    };
    responses: {
      /** @description Recorded. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      /** @description A replay: the key was used before. Nothing changed; the answer shows the state as of now. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ImportOpenOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  grantAchievement: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user and kind of grant, for ever. The first use is 201; every later one is 202 and changes nothing, whatever its valid body says.
         * @example ticket-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AchievementGrantRequest'];
      };
    };
    responses: {
      /** @description Recorded. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      /** @description A replay: the key was used before. Nothing changed; the answer shows the state as of now. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ImportOpenOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  revokeAchievement: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user and kind of grant, for ever. The first use is 201; every later one is 202 and changes nothing, whatever its valid body says.
         * @example ticket-4711
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AchievementGrantRequest'];
      };
    };
    responses: {
      /** @description Recorded. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      /** @description A replay: the key was used before. Nothing changed; the answer shows the state as of now. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ImportOpenOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  createStreakFreezes: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user and kind of grant, for ever. The first use is 201; every later one is 202 and changes nothing, whatever its valid body says.
         * @example ticket-4711
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StreakFreezesRequest'];
      };
    };
    responses: {
      /** @description Recorded, but for the issues. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StreakFreezesAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ImportOpenOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  restoreStreaks: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user and kind of grant, for ever. The first use is 201; every later one is 202 and changes nothing, whatever its valid body says.
         * @example ticket-4711
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RestoreStreaksRequest'];
      };
    };
    responses: {
      /** @description Recorded, but for the issues. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RestoreStreaksAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ImportOpenOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  grantToMany: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user and kind of grant, for ever. The first use is 201; every later one is 202 and changes nothing, whatever its valid body says.
         * @example ticket-4711
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['GrantToManyRequest'];
      };
    };
    responses: {
      /** @description Recorded, but for the issues. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['GrantToManyAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ImportOpenOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  previewCorrection: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PreviewCorrectionRequest'];
      };
    };
    responses: {
      /** @description What would change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CorrectionPreview'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownEvent'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ImportOpenOrNotInThisTopologyOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  correctEvents: {
    parameters: {
      query?: never;
      header?: {
        /**
         * @description Makes a retry safe: unique per user, for ever. The first use is 201; every later one is 202 and changes nothing.
         * @example ticket-4712
         */
        'Idempotency-Key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CorrectEventsRequest'];
      };
    };
    responses: {
      /** @description Recorded. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CorrectionAnswer'];
        };
      };
      /** @description A replay: the key was used before, and nothing changed. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CorrectionAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownEvent'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['ImportOpenOrStalePreviewOrNotInThisTopologyOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  explainPoints: {
    parameters: {
      query?: {
        /** @description How many entries to show. */
        limit?: number;
        /** @description `next` of the previous page: the entries that follow it. Absent: from the newest. */
        cursor?: string;
      };
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
        /**
         * @description The points system’s key.
         * @example xp
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of entries, and what they add up to. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExplainedPoints'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUserOrUnknownPointsSystem'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  explainPointsOfEvent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
        /**
         * @description The points system’s key.
         * @example xp
         */
        key: string;
        /** @description The event’s id, as its answer gave it. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What each trigger did. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExplainedPointsOfEvent'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUserOrUnknownPointsSystemOrUnknownEvent'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  explainAchievement: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
        /**
         * @description The achievement’s key.
         * @example profile
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Which event completed it, or what is missing. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExplainedAchievement'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUserOrUnknownAchievement'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  explainStreak: {
    parameters: {
      query?: {
        /** @description A date within the last period to show. Absent: the current one. */
        date?: string;
        /** @description How many periods to show. */
        periods?: number;
      };
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The periods, when streaks ended, and when the time zone changed. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExplainedStreak'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  explainStanding: {
    parameters: {
      query?: {
        /** @description Any date within the run. Absent: the run of the user’s own date, or the last one if the board is over. */
        run?: string;
        /** @description How many contributions to show. */
        limit?: number;
        /** @description `next` of the previous page: the entries that follow it. Absent: from the newest. */
        cursor?: string;
      };
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
        /**
         * @description The leaderboard’s key.
         * @example weekly
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The place, and what it results from. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExplainedStanding'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUserOrUnknownLeaderboard'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getEvent: {
    parameters: {
      query?: {
        /** @description Of how many of its users to show what it caused. */
        limit?: number;
        /** @description `next` of the previous page: the users that follow it. Absent: from the first user. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The event’s id, as its answer gave it. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The event. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ExplainedEvent'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownEvent'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  recordBatch: {
    parameters: {
      query?: {
        /** @description With `full`, the `body` of each result is the full answer to its event. */
        results?: 'full';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BatchRequest'];
      };
    };
    responses: {
      /** @description A result for each event; of a stream, a line each. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BatchAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getOpenImport: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The import and its progress; null: none is open. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OpenImportAnswer'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  openImport: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ImportRequest'];
      };
    };
    responses: {
      /** @description An import with these options was already open. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ImportAnswer'];
        };
      };
      /** @description The import is open with these options. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ImportAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  finishImport: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['FinishImportRequest'];
      };
    };
    responses: {
      /** @description The import has ended. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FinishImportAnswer'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  exportEvents: {
    parameters: {
      query?: {
        /**
         * @description From this date in UTC, or instant, on. Absent: from the first.
         * @example 2026-03-01
         */
        from?: string;
        /**
         * @description Before this date in UTC, or instant. Absent: up to the last.
         * @example 2026-03-01
         */
        to?: string;
        /** @description One JSON object per line, or CSV. */
        format?: 'ndjson' | 'csv';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events, a line each. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': components['schemas']['ExportedEvent'];
          'text/csv': string;
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  exportAwards: {
    parameters: {
      query?: {
        /**
         * @description From this date in UTC, or instant, on. Absent: from the first.
         * @example 2026-03-01
         */
        from?: string;
        /**
         * @description Before this date in UTC, or instant. Absent: up to the last.
         * @example 2026-03-01
         */
        to?: string;
        /** @description One JSON object per line, or CSV. */
        format?: 'ndjson' | 'csv';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The awards, a line each. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': components['schemas']['ExportedAward'];
          'text/csv': string;
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  exportRankings: {
    parameters: {
      query?: {
        /**
         * @description From this date in UTC, or instant, on. Absent: from the first.
         * @example 2026-03-01
         */
        from?: string;
        /**
         * @description Before this date in UTC, or instant. Absent: up to the last.
         * @example 2026-03-01
         */
        to?: string;
        /** @description One JSON object per line, or CSV. */
        format?: 'ndjson' | 'csv';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The ranked rows, a line each. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': components['schemas']['ExportedRanking'];
          'text/csv': string;
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  exportWinners: {
    parameters: {
      query: {
        /**
         * @description The leaderboard’s key.
         * @example weekly
         */
        leaderboard: string;
        /** @description Any date within the run. Absent: the newest final run. */
        run?: string;
        /** @description How many winners, from the first on. */
        limit?: number;
        /** @description One JSON object per line, or CSV. */
        format?: 'ndjson' | 'csv';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The winners by rank, a line each. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': components['schemas']['ExportedWinner'];
          'text/csv': string;
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownLeaderboardOrUnknownRun'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  exportUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Everything. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserExport'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  readOutcomes: {
    parameters: {
      query?: {
        /** @description `Laurel-Cursor` of the previous answer. Absent: from the oldest outcome that is kept. */
        after?: string;
        /** @description `Laurel-Head` of a call before: outcomes end there. Absent: no end. */
        until?: string;
        /**
         * @description Only these types, separated by commas. Absent: all types.
         * @example streak.lost,achievement.completed
         */
        types?: string;
        /** @description How many to show at most. */
        limit?: number;
        /** @description Seconds to wait for outcomes if there are none. */
        wait?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The outcomes, a line each; none: there are no more at present. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': components['schemas']['Outcome'];
          'application/cloudevents-batch+json': components['schemas']['OutcomeCloudEvent'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      410: components['responses']['CursorExpired'];
      422: components['responses']['NotInThisTopologyOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  readEvents: {
    parameters: {
      query?: {
        /** @description `Laurel-Cursor` of the previous answer. Absent: from the first event. */
        after?: string;
        /** @description `Laurel-Head` of a call before: events end there. Absent: no end. */
        until?: string;
        /**
         * @description Only these types, separated by commas. Absent: all types.
         * @example MetricEventRecorded,UserErased
         */
        types?: string;
        /** @description How many to show at most. */
        limit?: number;
        /** @description Seconds to wait for events if there are no more. */
        wait?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events, a line each. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': components['schemas']['LoggedEvent'];
          'application/cloudevents-batch+json': components['schemas']['LoggedCloudEvent'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listConfigurations: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The versions, oldest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationVersion'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  publishConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfigurationRequest'];
      };
    };
    responses: {
      /** @description The document is already in force; nothing was published. Its text, if sent, replaces the one shown. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PublishedConfiguration'];
        };
      };
      /** @description Published as the next version. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PublishedConfiguration'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['StalePlanOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  planConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfigurationRequest'];
      };
    };
    responses: {
      /** @description The changes, item by item. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConfigurationPlan'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getConfiguration: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The number of a version, or `current`.
         * @example current
         */
        version: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The version, its document and its text. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PublishedConfiguration'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownConfiguration'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getStatus: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The service as of now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ServiceStatus'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getDigest: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A hash for each area. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Digest'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getState: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The read models. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountState'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listAudit: {
    parameters: {
      query?: {
        /** @description How many entries to show. */
        limit?: number;
        /** @description `next` of the previous page: the entries that follow it. Absent: from the newest. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of entries. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getLogHead: {
    parameters: {
      query?: {
        /** @description `size` of an earlier answer. */
        since?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The hash. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LogHead'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getLogProof: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The event’s id, as its answer gave it. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The proof. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LogProof'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownEvent'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  startRebuild: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RebuildRequest'];
      };
    };
    responses: {
      /** @description Started. Ask for its progress by its id. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Rebuild'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getRebuild: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The rebuild’s id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The rebuild. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Rebuild'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownRebuild'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  startVerification: {
    parameters: {
      query?: {
        /** @description `true`: fold every user’s events, and compare the result with every stored row. Absent: `false`. */
        full?: 'true' | 'false';
        /** @description `log`: verify only the log, against its hash. Cannot be combined with `full`. */
        only?: 'log';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Started. Ask for its progress by its id. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Verification'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getVerification: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The verification’s id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The verification. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Verification'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownVerification'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listDays: {
    parameters: {
      query: {
        /**
         * @description First date, inclusive.
         * @example 2026-03-01
         */
        from: string;
        /**
         * @description Last date, inclusive, at most 400 days in all.
         * @example 2026-03-01
         */
        to: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every requested date, including empty and future ones. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Days'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listUsers: {
    parameters: {
      query?: {
        /**
         * @description Only users whose ids begin with this, compared byte by byte.
         * @example ad
         */
        prefix?: string;
        /**
         * @description Only users with this e-mail address. Case does not matter.
         * @example ada@example.org
         */
        email?: string;
        /**
         * @description Only users whose name, or a word of it, begins with this. Case does not matter.
         * @example lovel
         */
        name?: string;
        /** @description How many to show at most. */
        limit?: number;
        /** @description `next` of the previous page: what follows it. Absent: from the beginning. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of users. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getUserOverview: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The user. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserOverview'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  eraseUser: {
    parameters: {
      query?: {
        /** @description `true`: show what would change, and change nothing. */
        preview?: 'true' | 'false';
        /** @description What happens to the user’s places in runs that are not final. `remove` (the default): users below move up. `anonymous`: the places stay, without a name. Places in final runs stay in either case. */
        boards?: 'remove' | 'anonymous';
        /** @description `previewId` of the preview. Required unless `preview` is `true`. */
        previewId?: string;
        /** @description The reason. It is recorded in clear text, so it must not name the user. Required unless `preview` is `true`. */
        reason?: string;
      };
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The preview, or the certificate of what was done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Erasure'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequestOrImportOpen'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrOutcomeUnknownOrStateDamagedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listUserEvents: {
    parameters: {
      query?: {
        /** @description How many events to show. */
        limit?: number;
        /** @description `next` of the previous page: what follows it. Absent: from the beginning. */
        cursor?: string;
      };
      header?: never;
      path: {
        /**
         * @description The user’s id, percent-encoded in the URL, including its slashes (`%2F`).
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of events. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserTimeline'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownUser'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listCompletions: {
    parameters: {
      query?: {
        /** @description How many to show at most. */
        limit?: number;
        /** @description `next` of the previous page: what follows it. Absent: from the beginning. */
        cursor?: string;
      };
      header?: never;
      path: {
        /**
         * @description The achievement’s key.
         * @example profile
         */
        key: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of completions. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CompletionPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownAchievement'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listUsersOnLevel: {
    parameters: {
      query?: {
        /** @description How many to show at most. */
        limit?: number;
        /** @description `next` of the previous page: what follows it. Absent: from the beginning. */
        cursor?: string;
      };
      header?: never;
      path: {
        /**
         * @description The points system’s key.
         * @example xp
         */
        key: string;
        /**
         * @description The level’s key.
         * @example learner
         */
        level: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of users on the level. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['LevelUserPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownPointsSystemOrUnknownLevel'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All keys, including revoked ones. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKey'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  createKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewKeyRequest'];
      };
    };
    responses: {
      /** @description The key. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKey'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  revokeKey: {
    parameters: {
      query?: {
        /** @description The reason, in your own words. It is recorded. */
        reason?: string;
      };
      header?: never;
      path: {
        /** @description The key’s id, which is not the key itself. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The key’s data, without the key itself. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKey'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownKey'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoints, oldest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Webhook'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['NotInThisTopology'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewWebhookRequest'];
      };
    };
    responses: {
      /** @description The endpoint, and its secret. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedWebhook'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['NotInThisTopologyOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The endpoint’s id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint as it was. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Webhook'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownWebhook'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['NotInThisTopology'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  changeWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The endpoint’s id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookChange'];
      };
    };
    responses: {
      /** @description The endpoint. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Webhook'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownWebhook'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['NotInThisTopologyOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  enableWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The endpoint’s id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint; what has waited for it is sent. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Webhook'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownWebhook'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['NotInThisTopology'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  disableWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The endpoint’s id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The endpoint. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Webhook'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownWebhook'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['NotInThisTopology'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The endpoint’s id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The secret, shown this once. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookSecret'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownWebhook'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['NotInThisTopology'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The endpoint’s id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How the endpoint answered. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookTest'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownWebhook'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['NotInThisTopology'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Only deliveries in this state. Absent: all. */
        state?: 'waiting' | 'pending' | 'failed' | 'delivered' | 'abandoned';
        /** @description How many to show at most. */
        limit?: number;
        /** @description `next` of the previous page: what follows it. Absent: from the beginning. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description The endpoint’s id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of deliveries. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDeliveryPage'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownWebhook'];
      422: components['responses']['InvalidRequestOrNotInThisTopology'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  resendWebhookDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The endpoint’s id. */
        id: string;
        /**
         * @description The delivery’s id.
         * @example 4711
         */
        delivery: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The delivery. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDelivery'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownWebhookOrUnknownDelivery'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequestOrNotInThisTopology'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  replayWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The endpoint’s id. */
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookReplayRequest'];
      };
    };
    responses: {
      /** @description The endpoint. */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Webhook'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownWebhook'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['NotInThisTopologyOrInvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getConsole: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The page, which then requests what it shows. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': unknown;
        };
      };
      /** @description Not modified: it still is the version named in `If-None-Match`. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      404: components['responses']['UnknownPath'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getConsolePage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Its name.
         * @example users
         */
        page: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The page, which then requests what it shows. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': unknown;
        };
      };
      /** @description Not modified: it still is the version named in `If-None-Match`. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      404: components['responses']['UnknownPath'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getConsolePageOfOne: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description Its name.
         * @example users
         */
        page: string;
        /**
         * @description The id of what the page shows.
         * @example ada
         */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The page, which then requests what it shows. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': unknown;
        };
      };
      /** @description Not modified: it still is the version named in `If-None-Match`. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      404: components['responses']['UnknownPath'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getConsoleAsset: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The name of the file, as the page refers to it.
         * @example main.js
         */
        file: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          '*/*': unknown;
        };
      };
      /** @description Not modified: it still is the version named in `If-None-Match`. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      404: components['responses']['UnknownPath'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Who is signed in. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CurrentSession'];
        };
      };
      503: components['responses']['OverloadedOrUnavailable'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  signIn: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SignInRequest'];
      };
    };
    responses: {
      /** @description Signed in: the cookie is in `Set-Cookie`. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConsoleSession'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      503: components['responses']['Unavailable'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  signOut: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Signed out. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['MalformedBody'];
      403: components['responses']['Forbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      503: components['responses']['Unavailable'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  createConsoleLink: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConsoleLinkRequest'];
      };
    };
    responses: {
      /** @description The link, which is never shown again. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConsoleLink'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenOrForbidden'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  listConsoleSessions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sessions, oldest first: at most 1,000. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConsoleSession'][];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  endConsoleSession: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The session’s id, which is not its token. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session that has ended. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ConsoleSession'];
        };
      };
      400: components['responses']['MalformedBody'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      404: components['responses']['UnknownSession'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['UnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  watchEvents: {
    parameters: {
      query?: {
        /**
         * @description Only events of this user.
         * @example ada
         */
        userId?: string;
        /**
         * @description Only events of this metric.
         * @example lessons
         */
        metric?: string;
        /** @description The `id` of the last message seen: the stream continues after it. `Last-Event-ID` takes precedence. */
        after?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The stream. Each `data` of a message `events` is of this form. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': components['schemas']['LiveEvents'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      422: components['responses']['InvalidRequest'];
      429: components['responses']['RateLimited'];
      500: components['responses']['Internal'];
      503: components['responses']['OverloadedOrUnavailableOrStarting'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The process is alive. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Alive'];
        };
      };
      /** @description The process must be restarted. Only processes of the distributed topology answer this. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      default: components['responses']['RefusedByHttp'];
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The service is ready. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Ready'];
        };
      };
      /** @description The service is not ready; `components` says why. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['NotReady'];
        };
      };
      default: components['responses']['RefusedByHttp'];
    };
  };
  getMetrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Series in the text format of Prometheus. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': unknown;
        };
      };
      403: components['responses']['Forbidden'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getOpenApiDocument: {
    parameters: {
      query?: {
        /**
         * @description Only the operations with these tags, and the schemas that they use. Repeat the parameter, or separate tags by commas. Absent: all but Console and Documents.
         * @example [
         *       "Events",
         *       "Users"
         *     ]
         */
        tags?: (
          | 'Events'
          | 'Users'
          | 'Achievements'
          | 'Streaks'
          | 'Points'
          | 'Leaderboards'
          | 'Grants'
          | 'Corrections'
          | 'Explanations'
          | 'Import'
          | 'Export'
          | 'Configuration'
          | 'Operations'
          | 'Support'
          | 'Keys'
          | 'Webhooks'
          | 'Console'
          | 'Health'
          | 'Documents'
        )[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The document, with an `ETag`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            [key: string]: unknown;
          };
        };
      };
      /** @description Not modified: it still is the version named in `If-None-Match`. */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      422: components['responses']['InvalidRequest'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  getHomePage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page with links to the others. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': unknown;
        };
      };
      default: components['responses']['RefusedByHttp'];
    };
  };
  getDocs: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page that works without the internet. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': unknown;
        };
      };
      default: components['responses']['RefusedByHttp'];
    };
  };
  getDocsFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description `errors`, the page that explains every error, or a file of the pages. */
        file:
          | 'errors'
          | 'errors.css'
          | 'swagger-ui.css'
          | 'swagger-ui-bundle.js'
          | 'docs.js'
          | 'home.css'
          | 'home.js'
          | 'favicon.png';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          '*/*': unknown;
        };
      };
      404: components['responses']['UnknownPath'];
      default: components['responses']['RefusedByHttp'];
    };
  };
  on_achievement_completed: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AchievementCompletedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_emails_achievement_due: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AchievementDueOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_streak_started: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StreakStartedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_streak_extended: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StreakExtendedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_streak_at_risk: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StreakAtRiskOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_emails_streak_reminder_due: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StreakReminderDueOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_emails_recap_due: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RecapDueOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_emails_reactivation_due: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReactivationDueOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_streak_lost: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['StreakLostOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_streak_freeze_consumed: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['FreezeConsumedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_streak_freeze_earned: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['FreezeEarnedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_points_changed: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PointsChangedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_points_level_changed: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LevelChangedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_leaderboard_started: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LeaderboardStartedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_leaderboard_finished: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LeaderboardFinishedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_leaderboard_rank_changed: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RankChangedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_leaderboard_rank_lost: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RankLostOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_leaderboard_changed: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['LeaderboardChangedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_user_created: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UserCreatedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_user_corrected: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UserCorrectedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_user_erased: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UserErasedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_configuration_published: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfigurationPublishedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_import_finished: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ImportFinishedOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  on_endpoint_disabled: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EndpointDisabledOutcome'];
      };
    };
    responses: {
      /** @description It was taken. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
