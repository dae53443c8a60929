// SPDX-License-Identifier: Apache-2.0
// Draws the figures. One colour, dash and mark a series name, the same in every figure.
(() => {
  'use strict';
  const INK = '#1b1f24';
  // Okabe and Ito's colours, which colour-blind readers can tell apart; yellow is too pale here, and
  // sky blue and orange are darker, so that each stands out from paper by 3:1 (WCAG 2.1, 1.4.11).
  const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', INK, '#3a96cc', '#b87a00', '#7a5195'];
  const DASHES = [[], [7, 4], [2, 3]];
  const MARKS = ['circle', 'rectRot', 'triangle', 'rect'];
  const MANY = 8;
  const numbers = new Map();

  const namesOf = figure =>
    [...new Set(figure.views.flatMap(view => view.series.map(series => series.name)))];

  // Names that several figures share look the same in all of them; others count within a figure.
  const countShared = figures => {
    const seen = new Set();
    figures.flatMap(namesOf).forEach(name => {
      if (seen.has(name) && !numbers.has(name)) numbers.set(name, 0);
      seen.add(name);
    });
    [...seen].filter(name => numbers.has(name)).forEach((name, i) => numbers.set(name, i));
  };

  const numberOf = (figure, name) =>
    numbers.has(name) ? numbers.get(name) : namesOf(figure).indexOf(name);

  const format = (axis, value) => {
    if (axis.scale === 'PERCENT') {
      return (100 * value).toLocaleString('en', {maximumSignificantDigits: 4}) + ' %';
    }
    const size = Math.abs(value);
    return size !== 0 && (size < 0.001 || size >= 1e7)
      ? value.toExponential(2).replace(/\.?0+e/, 'e').replace('e+', 'e')
      : value.toLocaleString('en', {maximumSignificantDigits: 4});
  };

  const dataset = (figure, series) => {
    const number = numberOf(figure, series.name);
    const colour = COLOURS[number % COLOURS.length];
    const round = Math.floor(number / COLOURS.length);
    const many = series.points.length > 30;
    const dots = figure.kind === 'DOTS';
    const segments = figure.kind === 'SEGMENTS';
    const points = series.points.filter(p =>
      (figure.x.scale !== 'LOG' || p.x > 0) && (figure.y.scale !== 'LOG' || p.y > 0));
    const every = Math.ceil(points.length / 6);
    return {
      label: series.name,
      // a point that is no number parts one pair from the next
      data: segments ? points.flatMap((p, i) => (i % 2 ? [p, {x: NaN, y: NaN}] : [p])) : points,
      showLine: !dots,
      borderColor: colour,
      backgroundColor: dots ? colour + '99' : colour,
      borderDash: DASHES[round % DASHES.length],
      // the mark changes with the colour, for paper and eyes that know no colours
      pointStyle: MARKS[(number + round) % MARKS.length],
      borderWidth: segments ? 1.25 : 2.25,
      pointRadius: segments ? 0
        : dots ? (many ? 2.5 : 4)
          : many ? context => ((context.dataIndex + number) % every === 0 ? 3.5 : 0) : 3.5,
      pointHoverRadius: 6,
      pointHitRadius: 8,
    };
  };

  // The ticks that Chart.js likes best go beyond the data; no share is over 100 %.
  const endAtWhole = scale => {
    if (scale.max <= 1) return;
    scale.max = 1;
    scale.ticks = scale.ticks.filter(tick => tick.value < 1 - 1e-9).concat({value: 1});
  };

  // Numbers of one decade crowd at its end, where Chart.js leaves out every other one at best.
  const onlyRound = scale => {
    const range = scale.max / scale.min;
    const digits = range >= 1e4 ? [1] : range >= 10 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
    const round = scale.ticks.filter(({value}) => {
      const digit = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
      return digits.some(wanted => Math.abs(digit - wanted) < 1e-6);
    });
    if (round.length > 1) scale.ticks = round;
  };

  const axis = (spec, isX, least, most) => ({
    type: spec.scale === 'LOG' ? 'logarithmic' : 'linear',
    title: {display: true, text: spec.label, color: '#57606a', font: {size: 13}},
    grid: {color: isX ? 'transparent' : '#e8ecef'},
    border: {color: '#b6bec7'},
    min: spec.scale === 'LINEAR' && least >= 0 ? 0 : undefined,
    // shares have four digits, which must tell the ticks apart
    suggestedMin: spec.scale === 'PERCENT' ? most - 0.001 : undefined,
    grace: spec.scale === 'LINEAR' && !isX ? '3%' : 0,
    afterBuildTicks: spec.scale === 'LOG' ? onlyRound
      : spec.scale === 'PERCENT' && most <= 1 + 1e-9 ? endAtWhole : undefined,
    ticks: {
      color: '#57606a',
      font: {size: 12},
      maxRotation: 0,
      autoSkipPadding: 14,
      precision: spec.label.startsWith('week') ? 0 : undefined, // there is no half of one
      callback: value => format(spec, value),
    },
  });

  // Where both axes show the same quantity, dots on this line are equal in both.
  const diagonal = {
    id: 'diagonal',
    beforeDatasetsDraw(chart) {
      if (!chart.options.diagonal) return;
      const {x, y} = chart.scales;
      const from = Math.max(x.min, y.min);
      const to = Math.min(x.max, y.max);
      const context = chart.ctx;
      context.save();
      context.strokeStyle = '#8c959f';
      context.setLineDash([4, 4]);
      context.beginPath();
      context.moveTo(x.getPixelForValue(from), y.getPixelForValue(from));
      context.lineTo(x.getPixelForValue(to), y.getPixelForValue(to));
      context.stroke();
      context.restore();
    },
  };

  // On a narrow screen, and many of them on paper, names beside the lines would leave no room for
  // these: there is the legend.
  let printing = false;
  const isWide = chart =>
    chart.width >= 560 && !(printing && chart.data.datasets.length > MANY);

  // The name of a line at its end, pushed apart where names would cover each other.
  const endLabels = {
    id: 'endLabels',
    afterDatasetsDraw(chart) {
      if (!chart.options.endLabels || !isWide(chart)) return;
      const labels = [];
      chart.data.datasets.forEach((set, i) => {
        const points = chart.getDatasetMeta(i).data;
        if (chart.isDatasetVisible(i) && points.length) {
          labels.push({
            text: set.label,
            colour: set.borderColor,
            mark: set.pointStyle,
            y: points[points.length - 1].y,
          });
        }
      });
      labels.sort((a, b) => a.y - b.y);
      const step = 15;
      const {top, bottom, right} = chart.chartArea;
      if (labels.length * step > bottom - top + 2 * step) return;
      for (let i = 1; i < labels.length; i++) labels[i].y = Math.max(labels[i].y, labels[i - 1].y + step);
      let limit = bottom;
      for (let i = labels.length - 1; i >= 0; i--) {
        labels[i].y = Math.min(labels[i].y, limit);
        limit = labels[i].y - step;
      }
      const context = chart.ctx;
      context.save();
      context.font = '600 12px system-ui, sans-serif';
      context.textBaseline = 'middle';
      labels.forEach(label => {
        const y = Math.max(label.y, top - step);
        context.fillStyle = context.strokeStyle = label.colour;
        Chart.helpers.drawPoint(context, {pointStyle: label.mark, radius: 4, borderWidth: 1}, right + 12, y);
        // some colours are too pale for small letters
        context.fillStyle = INK;
        context.fillText(label.text, right + 22, y);
      });
      context.restore();
    },
  };

  const roomFor = names => {
    const context = document.createElement('canvas').getContext('2d');
    context.font = '600 12px system-ui, sans-serif';
    return Math.max(...names.map(name => context.measureText(name).width)) + 28;
  };

  const extreme = (figure, read, pick, start) =>
    figure.views.flatMap(view => view.series).flatMap(series => series.points)
      .reduce((found, p) => pick(found, read(p)), start);
  const least = (figure, read) => extreme(figure, read, Math.min, Infinity);
  const most = (figure, read) => extreme(figure, read, Math.max, -Infinity);

  const draw = (box, figure) => {
    const names = namesOf(figure);
    const lines = figure.kind === 'LINES' && names.length > 1;
    const room = roomFor(names);
    if (names.length > MANY) box.querySelector('.chart').classList.add('many');
    const chart = new Chart(box.querySelector('canvas'), {
      type: 'scatter',
      data: {datasets: figure.views[0].series.map(series => dataset(figure, series))},
      plugins: [endLabels, diagonal, hideAll, namesAndNumbers],
      options: {
        endLabels: lines,
        diagonal: figure.kind === 'DOTS' && figure.x.scale === 'LOG' && figure.y.scale === 'LOG',
        animation: false,
        maintainAspectRatio: false,
        layout: {
          padding: context => ({right: lines && isWide(context.chart) ? room : 8, top: 6}),
        },
        interaction: {mode: 'nearest', intersect: false},
        scales: {
          x: axis(figure.x, true, least(figure, p => p.x), most(figure, p => p.x)),
          y: axis(figure.y, false, least(figure, p => p.y), most(figure, p => p.y)),
        },
        plugins: {
          legend: {
            display: names.length > 1 || figure.kind === 'LINES',
            position: 'bottom',
            labels: {usePointStyle: true, boxHeight: 7, padding: 14, color: INK},
          },
          tooltip: {
            callbacks: {
              title: items => items[0].dataset.label,
              label: item => [
                figure.x.label + ': ' + format(figure.x, item.raw.x),
                figure.y.label + ': ' + format(figure.y, item.raw.y),
              ].concat(item.raw.note ? [item.raw.note] : []),
            },
          },
        },
      },
    });
    if (figure.views.length > 1) addChoice(box, figure, chart);
    else if (figure.views[0].name !== 'all') addOnly(box, figure.views[0].name);
    if (names.length > MANY) addHideAll(box, chart);
    addNamesAndNumbers(box, figure, chart);
    return chart;
  };

  // With many curves it is easier to show a few than to hide the rest.
  const hideAll = {
    id: 'hideAll',
    afterUpdate(chart) {
      const button = chart.canvas.closest('figure').querySelector('button.all');
      if (button) button.textContent = anyShown(chart) ? 'Hide all curves' : 'Show all curves';
    },
  };

  const anyShown = chart => chart.data.datasets.some((_, i) => chart.isDatasetVisible(i));

  const addHideAll = (box, chart) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'all';
    button.addEventListener('click', () => {
      const show = !anyShown(chart);
      chart.data.datasets.forEach((_, i) => chart.setDatasetVisibility(i, show));
      chart.update();
    });
    box.insertBefore(button, box.querySelector('.chart'));
    chart.update();
  };

  const addChoice = (box, figure, chart) => {
    const label = document.createElement('label');
    label.className = 'choice';
    label.append('Show ');
    const select = document.createElement('select');
    select.setAttribute('aria-label', 'Show: ' + figure.title);
    figure.views.forEach((view, i) => select.append(new Option(view.name, i)));
    select.addEventListener('change', () => {
      const hidden = new Set(
        chart.data.datasets.filter((_, i) => !chart.isDatasetVisible(i)).map(set => set.label));
      chart.data.datasets = figure.views[select.value].series.map(series =>
        Object.assign(dataset(figure, series), {hidden: hidden.has(series.name)}));
      chart.update();
    });
    label.append(select);
    box.insertBefore(label, box.querySelector('.chart'));
  };

  // Which one is shown where there is nothing to choose from: a page, say.
  const addOnly = (box, name) => {
    const label = document.createElement('p');
    label.className = 'choice';
    label.textContent = 'Shown: ' + name;
    box.insertBefore(label, box.querySelector('.chart'));
  };

  // For those who cannot point at names and marks: the same as buttons and as a table, made when
  // opened, as a figure can have thousands of points.
  const namesAndNumbers = {
    id: 'namesAndNumbers',
    afterUpdate(chart) {
      const details = chart.canvas.closest('figure').querySelector('details');
      if (details && details.open) details.fill();
    },
  };

  const addNamesAndNumbers = (box, figure, chart) => {
    const details = element(box, 'details');
    element(details, 'summary', chart.data.datasets.length > 1 ? 'Names and numbers' : 'Numbers');
    const buttons = element(details, 'div');
    const grid = element(details, 'div');
    grid.className = 'numbers';
    grid.tabIndex = 0;
    grid.setAttribute('role', 'region');
    grid.setAttribute('aria-label', 'Numbers: ' + figure.title);
    let shown;
    details.fill = () => {
      if (shown !== chart.data.datasets) {
        shown = chart.data.datasets;
        fillButtons(buttons, chart);
        fillNumbers(grid, figure, figure.views[box.querySelector('select')?.value ?? 0]);
      }
      [...buttons.children].forEach((button, i) =>
        button.setAttribute('aria-pressed', chart.isDatasetVisible(i)));
    };
    details.addEventListener('toggle', () => details.open && details.fill());
  };

  const fillButtons = (buttons, chart) => {
    buttons.replaceChildren();
    if (chart.data.datasets.length < 2) return;
    chart.data.datasets.forEach((set, i) => {
      const button = element(buttons, 'button', set.label);
      button.type = 'button';
      button.addEventListener('click', () => {
        chart.setDatasetVisibility(i, !chart.isDatasetVisible(i));
        chart.update();
      });
    });
  };

  const fillNumbers = (grid, figure, view) => {
    grid.replaceChildren();
    const table = element(grid, 'table');
    table.setAttribute('aria-label', 'Numbers: ' + figure.title);
    const header = element(element(table, 'thead'), 'tr');
    ['name', figure.x.label, figure.y.label, 'note'].forEach(name => {
      element(header, 'th', name).scope = 'col';
    });
    const body = element(table, 'tbody');
    view.series.forEach(series => series.points.forEach(point => {
      const row = element(body, 'tr');
      element(row, 'th', series.name).scope = 'row';
      element(row, 'td', format(figure.x, point.x)).className = 'number';
      element(row, 'td', format(figure.y, point.y)).className = 'number';
      element(row, 'td', point.note);
    }));
  };

  const element = (parent, name, text = '') => {
    const child = document.createElement(name);
    child.textContent = text;
    parent.append(child);
    return child;
  };

  const boxes = [...document.querySelectorAll('figure')];
  const figures = boxes.map(box =>
    JSON.parse(box.querySelector('script[type="application/json"]').textContent));
  countShared(figures);
  const charts = boxes.map((box, i) => draw(box, figures[i]));

  // Paper is no screen that charts would follow: a size at which two of them fit on a page.
  window.addEventListener('beforeprint', () => {
    printing = true;
    charts.forEach(chart =>
      chart.resize(650, chart.canvas.closest('.chart').classList.contains('many') ? 340 : 280));
  });
  window.addEventListener('afterprint', () => {
    printing = false;
    charts.forEach(chart => chart.resize());
  });
})();
