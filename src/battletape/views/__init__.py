"""What to show, not how: answers, rolls, comparisons, rules, profiles and battles as plain data.

Every view is a frozen Struct of texts, numbers and other views, so `msgspec.json.encode` writes it and a terminal,
a page or a JSON API can show it without asking the engine anything more.

    chances     a chance as fraction, number and percentage; a distribution without its rare ends
    answer      odds: headline, bars, steps, rulings, how it was computed; advice on choices
    roll        one roll with its log and how lucky it was; many rolls beside the exact odds
    compare     two or more variants side by side; variants names them, overlay puts them on one scale
    changed     a question with something changed
    whatif      what the answer would become with other choices
    heat        one question with each of many profiles
    choices     advice summed up: each option of a choice and its value
    rules       the rule book: search, one clause, tables
    catalogue   rulesets, questions and what they take
    profiles    units and weapons
    battle      a battle: state, legal actions, log
"""
