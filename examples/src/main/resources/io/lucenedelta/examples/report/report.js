// Draws the figures. One colour, dash and mark a series name, the same in every figure.
(() => {
  'use strict';
  // Okabe and Ito's colours, which colour-blind readers can tell apart; yellow is too pale here.
  const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#1b1f24', '#56b4e9', '#e69f00', '#7a5195'];
  const DASHES = [[], [7, 4], [2, 3]];
  const MARKS = ['circle', 'rectRot', 'triangle', 'rect'];
  const numbers = new Map();

  const numberOf = name => {
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return numbers.get(name);
  };

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
    const number = numberOf(series.name);
    const colour = COLOURS[number % COLOURS.length];
    const round = Math.floor(number / COLOURS.length);
    const many = series.points.length > 30;
    const dots = figure.kind === 'DOTS';
    return {
      label: series.name,
      data: series.points.filter(p =>
        (figure.x.scale !== 'LOG' || p.x > 0) && (figure.y.scale !== 'LOG' || p.y > 0)),
      showLine: !dots,
      borderColor: colour,
      backgroundColor: dots ? colour + '99' : colour,
      borderDash: DASHES[round % DASHES.length],
      pointStyle: MARKS[round % MARKS.length],
      borderWidth: 2.25,
      pointRadius: dots ? (many ? 2.5 : 4) : (many ? 0 : 3.5),
      pointHoverRadius: 6,
      pointHitRadius: 8,
    };
  };

  const axis = (spec, isX) => ({
    type: spec.scale === 'LOG' ? 'logarithmic' : 'linear',
    title: {display: true, text: spec.label, color: '#57606a', font: {size: 13}},
    grid: {color: isX ? 'transparent' : '#e8ecef'},
    border: {color: '#b6bec7'},
    grace: spec.scale === 'LINEAR' && !isX ? '3%' : 0,
    ticks: {
      color: '#57606a',
      font: {size: 12},
      maxRotation: 0,
      autoSkipPadding: 14,
      callback: value => format(spec, value),
    },
  });

  // The name of a line at its end, pushed apart where names would cover each other.
  const endLabels = {
    id: 'endLabels',
    afterDatasetsDraw(chart) {
      if (!chart.options.endLabels) return;
      const labels = [];
      chart.data.datasets.forEach((set, i) => {
        const points = chart.getDatasetMeta(i).data;
        if (chart.isDatasetVisible(i) && points.length) {
          labels.push({text: set.label, colour: set.borderColor, y: points[points.length - 1].y});
        }
      });
      labels.sort((a, b) => a.y - b.y);
      const step = 15;
      const {top, bottom, right} = chart.chartArea;
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
        context.fillStyle = label.colour;
        context.fillText(label.text, right + 10, Math.max(label.y, top - step));
      });
      context.restore();
    },
  };

  const roomFor = names => {
    const context = document.createElement('canvas').getContext('2d');
    context.font = '600 12px system-ui, sans-serif';
    return Math.max(...names.map(name => context.measureText(name).width)) + 18;
  };

  const draw = (box, figure) => {
    const names = figure.views.flatMap(view => view.series.map(series => series.name));
    names.forEach(numberOf);
    const lines = figure.kind === 'LINES' && new Set(names).size > 1;
    const chart = new Chart(box.querySelector('canvas'), {
      type: 'scatter',
      data: {datasets: figure.views[0].series.map(series => dataset(figure, series))},
      plugins: [endLabels],
      options: {
        endLabels: lines,
        animation: false,
        maintainAspectRatio: false,
        layout: {padding: {right: lines ? roomFor(names) : 8, top: 6}},
        interaction: {mode: 'nearest', intersect: false},
        scales: {x: axis(figure.x, true), y: axis(figure.y, false)},
        plugins: {
          legend: {
            display: new Set(names).size > 1,
            position: 'bottom',
            labels: {usePointStyle: true, boxHeight: 7, padding: 14, color: '#1b1f24'},
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
  };

  const addChoice = (box, figure, chart) => {
    const label = document.createElement('label');
    label.className = 'choice';
    label.append('Show');
    const select = document.createElement('select');
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

  document.querySelectorAll('figure').forEach(box =>
    draw(box, JSON.parse(box.querySelector('script[type="application/json"]').textContent)));
})();
